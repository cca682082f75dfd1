"""The numbers of Layers in a browser: each is recomputed here from the run's arrays."""

import re

import numpy as np
import pytest
import torch
from playwright.sync_api import Page, expect

from model.inspect.edits import Skip
from model.network.config import START
from model.network.hooks import watch
from tests.helpers.browser import choose, expect_no_scrolling_sideways, say
from tests.helpers.drawn import explained, finding, formula, last_number, named
from viz.figures.labels import readable
from viz.state.examples import EXAMPLES
from viz.state.session import EXAMPLE

TEXT = "The small boat waited for us near the bridge."
PARTS = {"encoder": ("attention", "feed_forward"), "decoder": ("attention", "cross", "feed_forward")}
MODULES = {"attention": "self_attention", "cross": "cross_attention", "feed_forward": "feed_forward"}


@pytest.fixture(scope="module")
def trace(translator):
    return translator.trace(TEXT)


def numbers_in(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+\.?\d*", text.replace("−", "-").replace("+", " "))]


def way(stack: str, layers: int) -> list[tuple[str, str, str, str]]:
    """Name, and the paths before, output and after, of each sublayer from the bottom."""
    found, before = [], f"{stack}.embedding.sum"
    for layer in range(layers):
        for part in PARTS[stack]:
            at = f"{stack}.layers.{layer}"
            after = f"{at}.after_{part}"
            found.append((f"{stack}.{layer}.{part}", before, f"{at}.{MODULES[part]}.output", after))
            before = after
    return found


def test_lengths_shapes_and_what_was_added_are_the_runs_own(open_page, translator, trace):
    row, config = 2, translator.config
    page = open_page("layers", s=TEXT, kind="cross", row=row, layer=1, part="cross")
    boxes, rows = named(page, "diagram"), named(page, "picture_added")
    embedding = trace.points["decoder.embedding.sum"][row]
    assert float(boxes["length.embedding"]["text"]) == pytest.approx(np.linalg.norm(embedding), abs=0.051)
    for name, *paths in way("decoder", config.layers):
        before, output, after = (trace.points[path][row] for path in paths)
        assert float(boxes[f"length.{name}"]["text"]) == pytest.approx(np.linalg.norm(after), abs=0.051)
        lengths = np.linalg.norm(before), np.linalg.norm(output)
        expected = {"before": lengths[0], "added": lengths[1], "cosine": before @ output / np.prod(lengths)}
        for column, value in expected.items():
            assert float(rows[f"{name}.{column}"]["text"]) == pytest.approx(value, abs=0.0051)
        assert rows[name]["on"] == boxes[name]["on"] == (name == "decoder.1.cross")
        if name == "decoder.1.cross":
            assert numbers_in(formula(page)) == pytest.approx(list(expected.values()), abs=0.0051)
    added = [
        (np.linalg.norm(trace.points[output][row]), np.linalg.norm(trace.points[before][row]))
        for _, before, output, _ in way("decoder", config.layers)
    ]
    assert numbers_in(finding(page))[-2:] == pytest.approx(max(added), abs=0.0051)
    source, target = len(trace.source.ids), len(trace.target.read)
    outside = f"({target}, {config.width})"
    inside = f"({config.heads}, {target}, {source})"
    assert boxes["decoder.0.cross"]["tip"].endswith(f"{outside} → {inside} → {outside}")
    assert boxes["softmax"]["tip"].endswith(f"({target}, {config.vocabulary})")
    assert boxes["encoder.embedding"]["tip"] == f"({source}) → ({source}, {config.width})"
    module = translator.model.decoder.layers[1].cross_attention
    count = sum(parameter.numel() for parameter in module.parameters())
    expect(page.locator(".st-key-aside [data-testid=stCaptionContainer]")).to_contain_text(f"{count:,} ")
    expect_no_scrolling_sideways(page)
    assert page.locator(".st-key-panel").bounding_box()["y"] < 500


def test_layer_norm_and_batch_norm_are_the_runs_own(open_page, translator, trace):
    row, layers = 3, translator.config.layers
    page = open_page("layers", s=TEXT, layers="norm", kind="encoder", row=row, layer=1, part="feed_forward")
    rows = named(page, "picture_norm")
    for name, before, output, after in way("encoder", layers):
        total, normed = (trace.points[before] + trace.points[output])[row], trace.points[after][row]
        for when, values in (("before", total), ("after", normed)):
            expected = [values.mean(), values.std()]
            assert numbers_in(rows[f"{name}.{when}"]["text"]) == pytest.approx(expected, abs=0.0051)
    _, before, output, after = way("encoder", layers)[3]
    total = trace.points[before] + trace.points[output]
    module = translator.model.encoder.layers[1].feed_forward_norm
    weight, bias = module.weight[0].item(), module.bias[0].item()
    written = formula(page).split("=")[1:]
    spread = np.sqrt(total[row].var() + module.eps)
    assert numbers_in(finding(page))[-2:] == pytest.approx([total[row].mean(), total[row].std()], abs=0.0051)
    found = numbers_in(" ".join(written))
    expected = [weight, total[row, 0], -total[row].mean(), spread, bias, trace.points[after][row, 0]]
    assert found == pytest.approx(expected, abs=0.0011)

    other = translator.trace(EXAMPLES["question"])
    together = np.concatenate([total, other.points[before] + other.points[output]])
    batch = [(x[row] - x.mean(0)) / np.sqrt(x.var(0) + module.eps) for x in (total, together)]
    layer = (total[row] - total[row].mean()) / spread
    bars = named(page, "picture_batch")
    for name, values in zip(
        ("layer_alone", "layer_together", "batch_alone", "batch_together"),
        (layer, layer, *batch),
        strict=True,
    ):
        assert numbers_in(bars[name]["tip"])[-1] == pytest.approx(values[0], abs=2e-3)
    change = f"batch norm by {abs(batch[1] - batch[0]).mean():.3f}"
    assert change in explained(page) and "layer norm changes by 0.000" in explained(page)


def test_the_path_and_the_units_are_the_runs_own(open_page, translator, trace):
    row, layers, width = 4, translator.config.layers, translator.config.width
    page = open_page("layers", s=TEXT, layers="path", kind="encoder", row=row, layer=2)
    example = translator.trace(EXAMPLE)
    points, own = (
        np.stack(
            [run.points["encoder.embedding.sum"], *(run.points[step[3]] for step in way("encoder", layers))]
        )
        for run in (example, trace)
    )
    fitted = points.reshape(-1, width).astype(float)
    _, directions = np.linalg.eigh(np.cov(fitted.T))
    axes = directions.T[[-1, -2]]
    axes *= np.sign(axes[[0, 1], abs(axes).argmax(1)])[:, None]
    placed = (own[:, row] - fitted.mean(0)) @ axes.T
    dots = named(page, "picture_path")
    for height in range(len(own)):
        assert numbers_in(dots[f"height.{height}"]["tip"])[-2:] == pytest.approx(placed[height], abs=5e-3)
    apart = own.reshape(-1, width) - own.reshape(-1, width).mean(0)
    share = ((apart @ axes.T) ** 2).sum() / (apart**2).sum()
    moved = np.linalg.norm(placed[-1] - placed[0])
    assert numbers_in(finding(page)) == pytest.approx([moved, 100 * share], abs=0.06)

    choose(page, "layers", say("layers.units"))
    hidden = trace.points["encoder.layers.2.feed_forward.hidden"][row]
    cells = named(page, "picture_units")[say("units.unit")]
    np.testing.assert_allclose(cells["values"], hidden, rtol=1e-4, atol=1e-5)
    firing = [(hidden > 0).sum(), len(hidden), 3, 100 * (hidden > 0).mean()]
    assert numbers_in(finding(page)) == pytest.approx(firing, abs=0.06)
    bars = named(page, "picture_unit_bars")
    strong = np.sort(hidden)[::-1][:10]
    assert [numbers_in(bar["tip"])[-1] for bar in bars.values()] == pytest.approx(strong, rel=1e-3, abs=1e-5)
    assert str(width) in formula(page) and str(len(hidden)) in formula(page)


def test_the_vocabulary_and_the_gradients_are_the_runs_own(open_page, translator, trace):
    row, layers, model = 3, translator.config.layers, translator.model
    page = open_page("layers", s=TEXT, layers="vocabulary", kind="decoder", row=row)
    table, final = model.to_vocabulary.weight.detach().numpy(), trace.target.predicted_ids[row]
    lens, ranks = named(page, "picture_vocabulary"), []
    for layer in range(layers):
        logits = trace.points[f"decoder.layers.{layer}.after_feed_forward"][row] @ table.T
        probabilities = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
        order = np.argsort(-probabilities)
        rank = int(np.flatnonzero(order == final)[0]) + 1
        ranks.append(str(rank) if rank <= 20 else "> 20")
        for place, piece in enumerate(translator.tokenizer.choices(order[:5].tolist())):
            word, _, number = lens[f"lens.{layer}.{place}"]["tip"].rpartition(": ")
            assert float(number) == pytest.approx(probabilities[order[place]], abs=1e-3)
            assert word == readable(piece, say)
        assert (f"lens.{layer}.final" in lens) == (rank > 5)
    assert f"has rank {', '.join(ranks)} after" in finding(page)

    choose(page, "layers", say("layers.gradients"))
    expect_gradients(page, model, trace, "decoder", row)
    page = open_page("layers", s=TEXT, layers="gradients", kind="encoder", row=row)
    expect_gradients(page, model, trace, "encoder", row)


def expect_gradients(page: Page, model, trace, stack: str, row: int) -> None:
    """Every dot of every curve is the gradient of the loss at that height, beside that at the top."""
    dots, layers = named(page, "picture_gradients"), model.config.layers
    sublayers = [
        f"{each}.layers.{n}.{MODULES[part]}" for each in PARTS for n in range(layers) for part in PARTS[each]
    ]
    ways = {
        "trained": (),
        "no_residual": ("residual",),
        "no_norm": ("norm",),
        "neither": ("residual", "norm"),
    }
    for way_out, parts in ways.items():
        edits = [Skip(where, part) for where in sublayers for part in parts]
        paths = [f"{stack}.embedding.sum", *(step[3] for step in way(stack, layers))]
        with watch(paths, edits) as seen:
            read = (START, *trace.target.predicted_ids[:-1])
            logits = model(torch.tensor([trace.source.ids]), torch.tensor([read]))
        loss = torch.nn.functional.cross_entropy(
            logits[0], torch.tensor(trace.target.predicted_ids), reduction="sum"
        )
        found = torch.autograd.grad(loss, [seen[path][0] for path in paths])
        lengths = np.array([gradient[0, row].norm().item() for gradient in found])
        beside = lengths / lengths[-1] if lengths[-1] else lengths
        for height, share in enumerate(beside):
            said = last_number(dots[f"{way_out}@{height}"]["tip"])
            assert said == pytest.approx(share, rel=0.02, abs=1e-12)
