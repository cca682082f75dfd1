"""Layers: what does each layer do?"""
