"""What stands on every page: brand, sentence, translation, link, presenter."""
