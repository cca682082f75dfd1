"""A model's matrix products, as one sentence needs them: fewer, and with half as many bytes to read.

A step multiplies a few rows by every matrix of the decoder, and reading the matrices takes most of the time.
A shipped checkpoint is stored in half precision, so its matrices can be kept packed in it and lose nothing:
they are widened on the way into the sum, which is in full precision. What half precision cannot hold is
multiplied as it is. Query, key and value are one product, and so is all that layers take of the source.

`settle` says that a model is loaded and meant to stay. Only such a one is packed, once for all its runs, and
again if its weights have changed since; weights written behind torch's back (`.data`) are not noticed.

Shapes   R rows · D width · L decoder layers · V vocabulary
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from weakref import WeakKeyDictionary

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.network.layers import DecoderLayer, EncoderLayer
from model.network.transformer import Transformer

Product = Callable[[Tensor], Tensor]
Make = Callable[[Sequence[nn.Linear | nn.Embedding]], Product]  # the matrices one below the other
Stamp = tuple[tuple[int, int], ...]  # where each weight lies, and how often it was written

ENGINES = ("x86", "fbgemm")  # what can multiply by packed matrices


@dataclass(frozen=True, eq=False)
class Layer:
    """One layer's sums, all but its attentions."""

    query_key_value: Product  # (R, D) -> (R, 3 D)
    output: Product
    attention_norm: Product
    feed_forward: Product
    feed_forward_norm: Product


@dataclass(frozen=True, eq=False)
class CrossLayer(Layer):
    """A decoder's, which looks at the source too."""

    cross_query: Product
    cross_output: Product
    cross_norm: Product


@dataclass(frozen=True, eq=False)
class Products:
    encoder: tuple[Layer, ...]
    decoder: tuple[CrossLayer, ...]
    source: Product  # (R, D) -> (R, L 2 D), keys and values of every cross-attention
    vocabulary: Product  # (R, D) -> (R, V)


@dataclass
class _Settled:
    """A loaded model's products, and the weights that they were made of."""

    owners: tuple[nn.Module, ...]  # what in it has weights, found once: a walk takes longer than a look
    stamp: Stamp = ()
    products: Products | None = None

    def look(self, model: Transformer) -> Stamp:
        weights = (weight for owner in (model, *self.owners) for weight in owner._parameters.values())
        return tuple((weight.data_ptr(), weight._version) for weight in weights if weight is not None)


# Nothing about a run: what two runs might make at once is the same, and the last one stays.
_settled: WeakKeyDictionary[Transformer, _Settled] = WeakKeyDictionary()


def settle(model: Transformer) -> None:
    """Let runs of this model share its packed weights; it is loaded, and nobody trains it."""
    if not any(weight.is_inference() for weight in model.parameters()):  # their changes are not counted
        _settled[model] = _Settled(tuple(_owners(model)))


def _owners(model: Transformer) -> Iterator[nn.Module]:
    """Not the model itself: what is kept for it must not keep it."""
    return (module for module in model.modules() if module._parameters and module is not model)


def products_of(model: Transformer) -> Products:
    """The products of the weights as they are now."""
    settled = _settled.get(model)
    if settled is None:
        return _made(model, _plain)
    stamp = settled.look(model)
    if settled.products is None or settled.stamp != stamp:
        products = _made(model, _packed if _fits(model) else _plain)
        _settled[model] = _Settled(settled.owners, stamp, products)
        return products
    return settled.products


def _fits(model: Transformer) -> bool:
    """Whether half precision holds every matrix exactly, and this machine can multiply by packed ones."""
    matrices = (weight for weight in model.parameters() if weight.dim() > 1)
    return torch.backends.quantized.engine in ENGINES and all(
        weight.device.type == "cpu"
        and weight.dtype == torch.float32
        and torch.equal(weight.half().float(), weight)
        for weight in matrices
    )


def _packed(modules: Sequence[nn.Linear | nn.Embedding]) -> Product:
    pack, multiply = torch.ops.quantized.linear_prepack_fp16, torch.ops.quantized.linear_dynamic_fp16.default
    return partial(_multiply, multiply, pack(*_joined(modules)))


def _multiply(multiply: Callable[[Tensor, object], Tensor], matrix: object, x: Tensor) -> Tensor:
    return multiply(x, matrix)


def _plain(modules: Sequence[nn.Linear | nn.Embedding]) -> Product:
    weight, bias = _joined(modules)
    return partial(F.linear, weight=weight, bias=bias)


def _joined(modules: Sequence[nn.Linear | nn.Embedding]) -> tuple[Tensor, Tensor | None]:
    if len(modules) == 1:
        return modules[0].weight, getattr(modules[0], "bias", None)
    weights: list[Tensor] = [module.weight for module in modules]
    biases: list[Tensor] = [module.bias for module in modules if isinstance(module, nn.Linear)]
    return torch.cat(weights), torch.cat(biases)


@torch.no_grad()
def _made(model: Transformer, make: Make) -> Products:
    # All are such layers; a list of modules does not say so.
    encoders = [layer for layer in model.encoder.layers if isinstance(layer, EncoderLayer)]
    decoders = [layer for layer in model.decoder.layers if isinstance(layer, DecoderLayer)]
    crosses = [layer.cross_attention for layer in decoders]
    return Products(
        tuple(Layer(*_sums(layer, make)) for layer in encoders),
        tuple(
            CrossLayer(
                *_sums(layer, make),
                make([cross.to_query]), make([cross.to_output]), _norm(layer.cross_norm),
            )
            for layer, cross in zip(decoders, crosses, strict=True)
        ),
        make([module for cross in crosses for module in (cross.to_key, cross.to_value)]),
        _with_bias(make([model.to_vocabulary]), model.vocabulary_bias),
    )  # fmt: skip


def _with_bias(product: Product, bias: Tensor | None) -> Product:
    return product if bias is None else lambda x: product(x) + bias


def _sums(
    layer: EncoderLayer | DecoderLayer, make: Make
) -> tuple[Product, Product, Product, Product, Product]:
    own, through = layer.self_attention, layer.feed_forward
    widen, narrow, activate = make([through.widen]), make([through.narrow]), through.activate
    return (
        make([own.to_query, own.to_key, own.to_value]), make([own.to_output]), _norm(layer.attention_norm),
        lambda x: narrow(activate(widen(x))), _norm(layer.feed_forward_norm),
    )  # fmt: skip


def _norm(norm: nn.LayerNorm) -> Product:
    shape, weight, bias, eps = norm.normalized_shape, norm.weight, norm.bias, norm.eps
    return lambda x: F.layer_norm(x, shape, weight, bias, eps)
