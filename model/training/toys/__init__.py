"""Small tasks on which a Transformer learns where to look while one watches.

`tasks` draws examples, `recipe` says how to train on them, `lesson` trains and yields the frames of a film.
"""
