"""Positions: how does it know the order?"""
