"""Several processes training one model: started by torchrun, one gradient for all."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import torch
import torch.distributed as distributed


@dataclass(frozen=True)
class Processes:
    """Which of how many processes this is; the only one unless torchrun started several."""

    rank: int = 0
    count: int = 1
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))

    @property
    def first(self) -> bool:
        return self.rank == 0

    def add_tensors(self, tensors: Sequence[torch.Tensor]) -> None:
        """Sum each tensor over all processes, in place and in one message."""
        if self.count == 1:
            return
        flat = torch.cat([tensor.flatten() for tensor in tensors])
        distributed.all_reduce(flat)
        for tensor, part in zip(tensors, flat.split([each.numel() for each in tensors]), strict=True):
            tensor.copy_(part.view_as(tensor))

    def add(self, *numbers: float) -> list[float]:
        """Sum plain numbers over all processes."""
        if self.count == 1:
            return list(numbers)
        total = torch.tensor(numbers, dtype=torch.float64, device=self.device)
        distributed.all_reduce(total)
        return total.tolist()

    def add_array(self, array: np.ndarray) -> np.ndarray:
        """Sum an array over all processes, in double precision."""
        if self.count == 1:
            return array
        total = torch.tensor(array, dtype=torch.float64, device=self.device)
        distributed.all_reduce(total)
        return total.cpu().numpy()

    def gather(self, text: str) -> list[str]:
        """The text of every process, in the order of their ranks."""
        if self.count == 1:
            return [text]
        own = torch.tensor(list(text.encode()), dtype=torch.uint8, device=self.device)
        lengths = [
            round(length)
            for length in self.add(*(len(own) * (rank == self.rank) for rank in range(self.count)))
        ]
        texts = [own.new_zeros(max(lengths)) for _ in lengths]
        distributed.all_gather(texts, torch.cat((own, own.new_zeros(max(lengths) - len(own)))))
        return [bytes(each[:length].tolist()).decode() for each, length in zip(texts, lengths, strict=True)]

    def share(self, tensor: torch.Tensor) -> torch.Tensor:
        """Give every process the first one's values, in place."""
        if self.count > 1:
            sent = tensor.to(self.device)
            distributed.broadcast(sent, 0)
            tensor.copy_(sent)
        return tensor

    def wait(self) -> None:
        if self.count > 1:
            distributed.barrier()


@contextmanager
def processes() -> Iterator[Processes]:
    """Join the group that torchrun started, if it did: NCCL on GPUs, gloo on CPUs."""
    gpu = torch.cuda.is_available()
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0))) if gpu else torch.device("cpu")
    if "WORLD_SIZE" not in os.environ:
        yield Processes(device=device)
        return
    if gpu:
        torch.cuda.set_device(device)
    distributed.init_process_group("nccl" if gpu else "gloo")
    try:
        yield Processes(distributed.get_rank(), distributed.get_world_size(), device)
    finally:
        distributed.destroy_process_group()
