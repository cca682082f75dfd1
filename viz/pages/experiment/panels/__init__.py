"""The panels of Experiment: what to change, before and after, and which head matters."""
