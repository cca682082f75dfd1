"""How a translation is written: greedy, sampled, beam, and how likely a given one is."""
