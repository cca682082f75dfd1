"""The model against PyTorch's own: with the same weights, the same numbers."""

import pytest
import torch
from torch import Tensor, nn

from model.network.attention import Attention, causal_mask
from model.network.batches import padding_mask
from model.network.cache import Cache
from model.network.config import PAD, preset
from model.network.hooks import watch
from model.network.layers import DecoderLayer, EncoderLayer
from model.network.positions import Positions
from model.network.transformer import Transformer

SOURCE, TARGET, BATCH, EXACT = 9, 7, 3, 1e-9


@pytest.fixture(autouse=True)
def double_precision():
    torch.manual_seed(0)
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


@pytest.fixture(params=["relu", "gelu"])
def config(request):
    return preset("tiny", activation=request.param, dropout=0.0)


@pytest.fixture(params=[True, False], ids=["watched", "fused"])
def watched(request):
    return request.param


def copy_attention(theirs: nn.MultiheadAttention, ours: Attention) -> None:
    parts = (ours.to_query, ours.to_key, ours.to_value)
    theirs.in_proj_weight.data = torch.cat([part.weight for part in parts])
    theirs.in_proj_bias.data = torch.cat([part.bias for part in parts])
    theirs.out_proj.load_state_dict(ours.to_output.state_dict())


def copy_layer(theirs: nn.Module, ours: EncoderLayer | DecoderLayer) -> None:
    copy_attention(theirs.self_attn, ours.self_attention)
    norms = [ours.attention_norm, ours.feed_forward_norm]
    if isinstance(ours, DecoderLayer):
        copy_attention(theirs.multihead_attn, ours.cross_attention)
        norms.insert(1, ours.cross_norm)
    theirs.linear1.load_state_dict(ours.feed_forward.widen.state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward.narrow.state_dict())
    for number, norm in enumerate(norms, 1):
        getattr(theirs, f"norm{number}").load_state_dict(norm.state_dict())


def shake(module: nn.Module) -> nn.Module:
    """Random biases and norms too: zeros and ones would hide a mix-up."""
    for parameter in module.parameters():
        parameter.data.add_(torch.randn_like(parameter) * 0.1)
    return module.eval()


def shape_of(config) -> dict:
    return dict(
        d_model=config.width, nhead=config.heads, dim_feedforward=config.hidden, dropout=0.0,
        activation=config.activation, batch_first=True,
    )  # fmt: skip


def padded(length: int, config) -> Tensor:
    """Ids whose later rows are shorter; our mask says where one may look, theirs the opposite."""
    ids = torch.randint(4, config.vocabulary, (BATCH, length))
    for row in range(BATCH):
        ids[row, length - row :] = PAD
    return ids


def run(module, *inputs, watched, **names):
    if not watched:
        return module(*inputs, **names)
    with watch(keep=["*"]):
        return module(*inputs, **names)


def assert_equal_where(real: Tensor, ours: Tensor, theirs: Tensor) -> None:
    torch.testing.assert_close(ours[real], theirs[real], rtol=0, atol=EXACT)


def test_the_encoder_layer_is_pytorchs(config, watched):
    ours = shake(EncoderLayer(config, Positions()))
    theirs = nn.TransformerEncoderLayer(**shape_of(config)).eval()
    copy_layer(theirs, ours)
    ids, x = padded(SOURCE, config), torch.randn(BATCH, SOURCE, config.width)
    real = ids != PAD
    found = run(ours, x, padding_mask(ids), torch.arange(SOURCE), watched=watched)
    assert_equal_where(real, found, theirs(x, src_key_padding_mask=~real))


def test_the_decoder_layer_is_pytorchs(config, watched):
    ours = shake(DecoderLayer(config, Positions()))
    theirs = nn.TransformerDecoderLayer(**shape_of(config)).eval()
    copy_layer(theirs, ours)
    ids, memory = padded(SOURCE, config), torch.randn(BATCH, SOURCE, config.width)
    x, causal = torch.randn(BATCH, TARGET, config.width), causal_mask(TARGET, TARGET)
    mask = padding_mask(ids)
    found = run(ours, x, causal[None, None], torch.arange(TARGET), memory, mask, Cache(), watched=watched)
    expected = theirs(x, memory, tgt_mask=~causal, memory_key_padding_mask=ids == PAD)
    torch.testing.assert_close(found, expected, rtol=0, atol=EXACT)


def test_the_whole_stack_is_pytorchs(config, watched):
    ours = shake(Transformer(config))
    theirs = nn.Transformer(
        num_encoder_layers=config.layers, num_decoder_layers=config.layers, **shape_of(config)
    ).eval()
    theirs.encoder.norm = theirs.decoder.norm = None  # the paper's stacks have no final norm
    for layer in range(config.layers):
        copy_layer(theirs.encoder.layers[layer], ours.encoder.layers[layer])
        copy_layer(theirs.decoder.layers[layer], ours.decoder.layers[layer])
    source, target = padded(SOURCE, config), padded(TARGET, config)
    hidden = theirs(
        ours.encoder.embedding(source)[0],
        ours.decoder.embedding(target)[0],
        tgt_mask=~causal_mask(TARGET, TARGET),
        src_key_padding_mask=source == PAD,
        memory_key_padding_mask=source == PAD,
    )
    expected = hidden @ ours.to_vocabulary.weight.T
    found = run(ours, source, target, watched=watched)
    assert_equal_where(target != PAD, found, expected)
