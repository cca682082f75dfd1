"""What moves the weights: Adam as in the paper, or Muon for the matrices of the layers.

Muon (Jordan et al. 2024) makes every direction of a matrix's step equally long. Vectors, and the
embeddings, whose rows are words, stay with Adam.
"""

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from model.processes import Processes


class Optimizer:
    """One step for all the weights of a model, at one learning rate."""

    def __init__(self, model: nn.Module, kind: str, group: Processes) -> None:
        self.model, self.group = model, group
        linear = (module for module in model.modules() if isinstance(module, nn.Linear))
        matrices: list[Tensor] = [module.weight for module in linear] if kind == "muon" else []
        # Making all directions equally long is a fifth of a step's work: each process does its share.
        self.owners = {weight: number % group.count for number, weight in enumerate(matrices)}
        others = [weight for weight in model.parameters() if weight not in self.owners]
        self.adam = torch.optim.Adam(others, betas=(0.9, 0.98), eps=1e-9, fused=True)
        mine = [weight for weight, owner in self.owners.items() if owner == group.rank]
        # Its steps are brought to the size of Adam's (Liu et al. 2025), so that one rate fits both.
        self.muon = torch.optim.Muon(mine, adjust_lr_fn="match_rms_adamw") if mine else None

    def step(self, rate: float) -> None:
        for part in filter(None, (self.adam, self.muon)):
            for group in part.param_groups:
                group["lr"] = rate
            part.step()
        self._exchange({weight: weight.data for weight in self.owners})

    def moments(self) -> Iterator[tuple[str, Tensor]]:
        """Every running mean by its name and its weight's; zeros where there is none yet."""
        for name, weight in self.model.named_parameters():
            if weight in self.owners:
                yield f"momentum_buffer.{name}", self._momentum(weight)
            else:
                state = self.adam.state[weight]
                for moment in ("exp_avg", "exp_avg_sq"):
                    yield f"{moment}.{name}", state.setdefault(moment, torch.zeros_like(weight))

    def gather_moments(self) -> None:
        """Give every process all moments, also of the matrices that another one moves."""
        self._exchange({weight: self._momentum(weight) for weight in self.owners})

    def count_steps(self, step: int) -> None:
        """Tell Adam how many steps its moments are made of: it corrects for it."""
        for weight in self.adam.param_groups[0]["params"]:
            self.adam.state[weight]["step"] = torch.tensor(float(step), device=weight.device)

    def _momentum(self, weight: Tensor) -> Tensor:
        state = self.muon.state[weight] if self.muon else {}
        return state.setdefault("momentum_buffer", torch.zeros_like(weight))

    def _exchange(self, tensors: dict[Tensor, Tensor]) -> None:
        """Give every process the values of the one that moves the weight."""
        if self.group.count > 1 and tensors:
            for weight, tensor in tensors.items():
                if self.owners[weight] != self.group.rank:
                    tensor.zero_()
            self.group.add_tensors(list(tensors.values()))
