"""What breaks without a head: the choice between a right and a wrong translation, each head taken away.

For every contrast the model has read the sentence and the words on which both translations agree; then it has
to decide. The gap is log p(right) - log p(wrong) of the piece that it writes next. A head that the gap falls
without carries the phenomenon.
"""
