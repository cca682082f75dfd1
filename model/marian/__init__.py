"""Models of others: a Marian folder of `transformers` (OPUS-MT) as a checkpoint of ours, and back.

Both are the Transformer of the paper. Three things differ: the residual stream has all sines of a position
first and then all cosines, where ours take turns; pieces have other numbers; and nothing marks the beginning
of a translation but the padding. All three are matters of order, so weights are moved and never changed.
"""
