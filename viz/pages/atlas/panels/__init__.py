"""The panels of Atlas: heads over a corpus, one head's card, detectors, the film, one's own corpus."""
