"""All heads: what patterns are there?"""
