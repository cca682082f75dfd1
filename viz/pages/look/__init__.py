"""Look: where does each word look?"""
