"""One true step of training on one pair: its loss, the gradient that reaches every head, and what Adam does.

The weights that all callers share are only read. Gradients are asked for by name (`torch.autograd.grad`), so
nothing is left on the parameters; a step is taken on a private copy, which is gone once its numbers are
written down. `torch.func.functional_call` would not do: it puts the other weights into the shared modules for
the time of the call, where every other thread meets them, and where one table has three names it leaves them
there.
"""

import threading

# A copy of the weights with its gradients and moments takes four times their memory: one at a time.
ONE_AT_A_TIME = threading.Lock()
SMOOTHING = 0.1  # as in the paper, section 5.4
BETAS, EPSILON = (0.9, 0.98), 1e-9  # of Adam, as in the paper, section 5.3
