"""Pairs made of pairs: what a corpus has too little of."""
