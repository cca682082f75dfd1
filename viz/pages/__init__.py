"""Streamlit scripts, one question each; app.py puts them in a frame."""
