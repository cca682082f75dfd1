"""Experiment: does it matter?"""
