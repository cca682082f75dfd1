import re
import threading

import pytest
import torch

from model.checkpoint import untrained
from model.network.hooks import HookPoint, hook_points, watch
from tests.helpers.tiny import tiny_config

SOURCE, TARGET = torch.tensor([[5, 6, 7, 8, 2]]), torch.tensor([[1, 9, 10]])
ATTENTION = ("residual", "query", "key", "value", "scores", "mask", "pattern", "mixed", "output")


@pytest.fixture(scope="module")
def model():
    return untrained(tiny_config())


class Negate:
    def __init__(self, where: str) -> None:
        self.where, self.points = where, (where,)

    def __call__(self, x, place):
        return -x


def promised(layers: int) -> set[str]:
    """The hook points that others rely on."""
    names = {"logits"}
    for stack in ("encoder", "decoder"):
        names |= {f"{stack}.embedding.{point}" for point in ("index", "tokens", "positions", "sum")}
        for layer in (f"{stack}.layers.{number}" for number in range(layers)):
            names |= {f"{layer}.self_attention.{point}" for point in ATTENTION}
            names |= {f"{layer}.feed_forward.{point}" for point in ("residual", "hidden", "output")}
            names |= {f"{layer}.after_attention", f"{layer}.after_feed_forward"}
            if stack == "decoder":
                names |= {f"{layer}.cross_attention.{point}" for point in ATTENTION}
                names |= {f"{layer}.after_cross"}
    return names


def test_every_promised_hook_point_exists_and_fires(model):
    assert hook_points(model).keys() == promised(model.config.layers)
    with watch(keep=sorted(promised(model.config.layers))) as seen:
        model(SOURCE, TARGET)
    assert seen.keys() == promised(model.config.layers)


def test_every_hook_point_has_the_shape_it_says(model):
    config = model.config
    with watch(keep=["*"]) as seen:
        model(SOURCE, TARGET)
    for name, said in hook_points(model).items():
        length = SOURCE.shape[1] if name.startswith("encoder") else TARGET.shape[1]
        keys = SOURCE.shape[1] if "cross" in name else length
        letters = dict(
            B=1, H=config.heads, T=length, S=length, Q=length, K=keys, D=config.width,
            E=config.head_width, F=config.hidden, V=config.vocabulary,
        )  # fmt: skip
        sizes = [
            letters[part] if part in letters else int(part)
            for part in re.findall(r"\w+", said.partition(")")[0])
        ]
        (tensor,) = seen[name]
        if name.endswith(".mask"):
            tensor = tensor.expand(sizes)  # masks are stored once where they repeat
        assert list(tensor.shape) == sizes, name


@pytest.mark.parametrize("positions", ["rotary", "none"])
def test_a_point_that_does_not_exist_raises(positions):
    model = untrained(tiny_config(positions=positions))
    with pytest.raises(LookupError, match="positions"), watch(keep=["encoder.embedding.positions"]):
        model(SOURCE, TARGET)


def test_a_watch_that_sees_nothing_says_so_and_suggests(model):
    typo = "encoder.layers.0.self_attention.patern"
    with pytest.raises(LookupError, match=r"self_attention\.pattern"), watch(keep=[typo]):
        model(SOURCE, TARGET)


def test_an_edit_that_never_acts_says_so(model):
    with (
        pytest.raises(LookupError, match="never acted"),
        watch(edits=[Negate("encoder.nowhere")]),
    ):
        model(SOURCE, TARGET)


def test_what_is_seen_is_what_was_used(model):
    point = "encoder.layers.0.self_attention.output"
    with watch(keep=[point]) as calm:
        model(SOURCE, TARGET)
    with watch(keep=[point]) as outer, watch(edits=[Negate(point)]):
        model(SOURCE, TARGET)
    torch.testing.assert_close(outer[point][0], -calm[point][0])


def test_a_failing_run_leaves_nothing_behind(model):
    before = model(SOURCE, TARGET)
    with pytest.raises(ZeroDivisionError), watch(edits=[Negate("*.mixed")]):
        model(SOURCE, TARGET)
        raise ZeroDivisionError
    assert torch.equal(model(SOURCE, TARGET), before)


def test_one_session_does_not_feel_the_edits_of_another(model):
    calm, felt = model(SOURCE, TARGET), []
    with watch(keep=["logits"], edits=[Negate("*.mixed")]) as seen:
        changed = model(SOURCE, TARGET)
        other = threading.Thread(target=lambda: felt.append(model(SOURCE, TARGET)))
        other.start()
        other.join()
    torch.testing.assert_close(felt[0], calm, rtol=0, atol=1e-5)
    assert (changed - calm).abs().max() > 1e-2
    assert len(seen["logits"]) == 1


def test_a_plain_forward_hook_on_a_point_still_works(model):
    found = []
    point = model.encoder.layers[0].self_attention.pattern
    handle = point.register_forward_hook(lambda module, inputs, output: found.append(output))
    model(SOURCE, TARGET)
    handle.remove()
    assert found[0].shape == (1, 4, 5, 5)


def test_the_gradient_of_a_watched_tensor_can_be_had(model):
    point = "decoder.layers.1.cross_attention.pattern"
    with watch(keep=[point]) as seen:
        logits = model(SOURCE, TARGET)
    (gradient,) = torch.autograd.grad(logits[0, -1, 42], seen[point])
    assert gradient.shape == seen[point][0].shape
    assert gradient.abs().max() > 0


def test_a_watch_that_asks_for_nothing_costs_nothing(model, monkeypatch):
    """Every translation opens one for its edits, and nearly all have none."""
    passed = []
    monkeypatch.setattr(HookPoint, "forward", lambda point, x, start=0, **known: passed.append(point) or x)
    with watch() as seen:
        model(SOURCE, TARGET)
    assert not passed and not seen
    with pytest.raises(LookupError), watch(["logits"]):
        model(SOURCE, TARGET)
    assert passed  # asked for something, they are passed again
