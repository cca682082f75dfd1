"""Five small networks that learned the same pairs: what came before the Transformer, and one beside them.

They stand behind one interface: read, translate, score, and a trace of where they looked and how far a word
reached.
"""

RIVALS = ("recurrent", "additive", "multiplicative", "convolutional", "transformer")
FOLDER = "rivals"  # among the checkpoints that ship
FACTS = "training.json"  # how a rival was trained, beside its weights
