"""Views that Plotly cannot draw: small scripts of our own, drawn on a canvas, fetched from nowhere."""
