"""Parts of pages that are more than a widget: each asks the session and draws one thing."""
