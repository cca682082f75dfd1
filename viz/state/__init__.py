"""What a visitor has chosen, the link that carries it, and the runs that all visitors share."""
