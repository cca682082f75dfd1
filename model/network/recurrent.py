"""What came before: recurrent networks that read a sentence word by word, and write another one.

Three decoders stand behind one encoder: one that is given a single vector for the whole sentence (Cho et al.
2014; Sutskever et al. 2014), and two that look back at every source position, with additive (Bahdanau et al.
2015) or multiplicative attention (Luong et al. 2015).

Shapes   B batch · S source positions · T target positions · D width of embeddings · H hidden width
"""

import math

import torch
from torch import Tensor, nn

from model.network.cache import Cache
from model.network.config import Config
from model.network.dropout import Dropout
from model.network.glances import Additive, Glance, Multiplicative
from model.network.hooks import HookPoint, name_hook_points
from model.network.seq2seq import Seq2Seq, initialise


class GatedUnit(nn.Module):
    """A gated recurrent unit: at each step it keeps a part of its state and renews the rest.

    r = σ(W_r x + U_r h)    z = σ(W_z x + U_z h)    n = tanh(W_n x + r ⊙ U_n h)    h' = (1 − z) ⊙ n + z ⊙ h
    """

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.from_input = nn.Linear(inputs, 3 * hidden)  # of all steps at once: it needs no state
        self.from_state = nn.Linear(hidden, 3 * hidden)  # one step after the other

    def forward(self, given: Tensor, state: Tensor) -> Tensor:
        """`given` (B, 3H) is `from_input` of this step, `state` (B, H) what the step before left.

        States are float32 also where products are less: what changes little by little is not rounded away.
        """
        exact = torch.promote_types(given.dtype, torch.float32)
        reset_given, renew_given, new_given = given.to(exact).chunk(3, -1)
        reset_state, renew_state, new_state = self.from_state(state.to(given.dtype)).to(exact).chunk(3, -1)
        reset = torch.sigmoid(reset_given + reset_state)
        keep = torch.sigmoid(renew_given + renew_state)
        new = torch.tanh(new_given + reset * new_state)
        return new + keep * (state - new)

    def run(self, x: Tensor, state: Tensor, real: Tensor | None = None, backwards: bool = False) -> Tensor:
        """States (B, T, H) after every step over x (B, T, …); where nothing is `real` (B, T) they stay."""
        given = self.from_input(x).unbind(1)
        steps = range(len(given))
        states: list[Tensor] = [state] * len(given)
        for step in reversed(steps) if backwards else steps:
            after = self(given[step], state)
            state = after if real is None else torch.where(real[:, step, None], after, state)
            states[step] = state
        return torch.stack(states, 1).to(x.dtype)


class BothWays(nn.Module):
    """One encoder layer: half of the states come from reading forwards, half from reading backwards."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.forwards, self.backwards = (GatedUnit(inputs, hidden // 2) for _ in range(2))

    def forward(self, x: Tensor, real: Tensor) -> Tensor:  # (B, S, …) -> (B, S, H)
        nothing = x.new_zeros(len(x), self.forwards.from_state.in_features)
        ahead = self.forwards.run(x, nothing, real)
        back = self.backwards.run(x, nothing, real, backwards=True)
        return torch.cat((ahead, back), -1)


def last_words(memory: Tensor) -> Tensor:  # (B, S, H) -> (B, H)
    """What both directions have kept when they are through: the one vector for the whole sentence.

    Padding comes last and changes no state, so the last column is where reading forwards ended.
    """
    half = memory.shape[-1] // 2
    return torch.cat((memory[:, -1, :half], memory[:, 0, half:]), -1)


class RecurrentDecoder(nn.Module):
    """Reads what it has written; of the source it knows its first state, and `context` at each step."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        hidden, looks_first = config.hidden, config.architecture != "multiplicative"
        self.glance: Glance | None = None
        if config.architecture == "additive":
            self.glance = Additive(hidden)
        elif config.architecture == "multiplicative":
            self.glance = Multiplicative(hidden)
        self.looks_first = looks_first  # the context goes into the unit, not only past it
        self.begin = nn.ModuleList(nn.Linear(hidden, hidden) for _ in range(config.layers))
        first = config.width + (hidden if looks_first else 0)
        self.units = nn.ModuleList(
            GatedUnit(hidden if layer else first, hidden) for layer in range(config.layers)
        )
        self.to_output = nn.Linear(2 * hidden + config.width, config.width)
        self.context = HookPoint("(B, T, H)")  # what it knows of the source at each step
        self.dropout = Dropout(config.dropout)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor, cache: Cache) -> Tensor:
        """Embedded pieces (B, T, D) to hidden states (B, T, D), after those that the cache has read."""
        states = cache.states.get(self) or self._begin(memory)
        if isinstance(self.glance, Additive):
            context, top, states = self._step_by_step(self.glance, x, memory, mask, states)
        else:
            context, top, states = self._all_steps(x, memory, mask, states)
        cache.states[self] = states
        cache.length += x.shape[1]
        context = self.context(context)
        return torch.tanh(self.to_output(self.dropout(torch.cat((top, context, x), -1))))

    def _begin(self, memory: Tensor) -> tuple[Tensor, ...]:
        whole = last_words(memory)
        return tuple(torch.tanh(begin(whole)) for begin in self.begin)

    def _all_steps(
        self, x: Tensor, memory: Tensor, mask: Tensor, states: tuple[Tensor, ...]
    ) -> tuple[Tensor, Tensor, tuple[Tensor, ...]]:
        """Where no step's look goes into the next step, each layer runs through all of them."""
        fixed = last_words(memory)[:, None].expand(-1, x.shape[1], -1)
        height, after = torch.cat((x, fixed), -1) if self.looks_first else x, []
        for unit, state in zip(self.units, states, strict=True):
            height = _unit(unit).run(height, state)
            after.append(height[:, -1])
            height = self.dropout(height)
        context = fixed if self.glance is None else self.glance(height, memory, mask)
        return context, height, tuple(after)

    def _step_by_step(
        self, glance: Additive, x: Tensor, memory: Tensor, mask: Tensor, states: tuple[Tensor, ...]
    ) -> tuple[Tensor, Tensor, tuple[Tensor, ...]]:
        """The state before looks at the source, and what it sees goes into the next state."""
        keys, contexts, tops = glance.keys(memory), [], []
        for step in range(x.shape[1]):
            context = glance(states[-1][:, None].to(x.dtype), memory, mask, keys)[:, 0]
            height, after = torch.cat((x[:, step], context), -1), []
            for unit, state in zip(self.units, states, strict=True):
                after.append(_unit(unit)(_unit(unit).from_input(height), state))
                height = self.dropout(after[-1].to(x.dtype))
            states = tuple(after)
            contexts.append(context)
            tops.append(height)
        return torch.stack(contexts, 1), torch.stack(tops, 1), states


class Recurrent(Seq2Seq):
    """An encoder that reads both ways, and a decoder that has one vector for it all, or looks back."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config, self.scale = config, math.sqrt(config.width)
        self.to_vocabulary = nn.Embedding(config.vocabulary, config.width)
        self.layers = nn.ModuleList(
            BothWays(config.hidden if layer else config.width, config.hidden)
            for layer in range(config.layers)
        )
        self.decoder = RecurrentDecoder(config)
        self.dropout = Dropout(config.dropout)
        self.apply(initialise)
        name_hook_points(self)

    def enter(self, source: Tensor) -> Tensor:
        return self.dropout(self.to_vocabulary(source) * self.scale)

    def read(self, x: Tensor, mask: Tensor) -> list[Tensor]:
        heights, real = [], mask[:, 0, 0]
        for layer in self.layers:
            x = layer(x, real)
            heights.append(x)
            x = self.dropout(x)
        return heights

    def decode(
        self, target: Tensor, memory: Tensor, memory_mask: Tensor, cache: Cache | None = None
    ) -> Tensor:
        x = self.dropout(self.to_vocabulary(target) * self.scale)
        return self.decoder(x, memory, memory_mask, Cache() if cache is None else cache)


def _unit(module: nn.Module) -> GatedUnit:
    """A list of modules does not say what its members are."""
    assert isinstance(module, GatedUnit)
    return module
