"""A batch of variants is as many runs with edits: row by row the same numbers."""

import numpy as np
import pytest
import torch

from model.inspect import edits
from model.inspect.variants import Head, all_heads, contrast_of, each_variant, hidden_states, log_probs_of
from model.network.batches import pad

SENTENCE = "The boy who lost his hat laughed."


@pytest.fixture(scope="module")
def trace(translator):
    return translator.trace(SENTENCE)


def run(translator, trace, variants, batch=5):
    ids = trace.target.predicted_ids
    found = each_variant(translator.model, trace.source.ids, ids, variants, log_probs_of(ids), batch)
    return np.concatenate(list(found))


def test_each_row_is_the_run_with_its_own_edits(translator, trace):
    cross, own = "decoder.layers.1.cross_attention", "encoder.layers.0.self_attention"
    variants = [
        (),
        (Head("encoder", 0, 3).silenced,),
        (edits.Scale(cross, 2, 2.0),),
        (edits.Uniform(own, 1), edits.Uniform(cross, 1)),
        (edits.Hide(2),),
        (edits.Cell(cross, 0, 1, 3, 0.5),),
        (edits.Skip("decoder.layers.0.feed_forward"),),
        (edits.Skip("encoder.layers.1.self_attention", "norm"),),
        (edits.Temperature(own, 3.0),),
        (edits.LiftMask(),),
        (Head("decoder", 1, 0).silenced, Head("cross", 0, 0).silenced),
    ]
    found = run(translator, trace, variants)
    for variant, row in zip(variants, found, strict=True):
        expected = translator.trace(SENTENCE, target=trace.target.predicted_ids, edits=variant).log_probs
        np.testing.assert_allclose(row, expected, atol=1e-4, err_msg=str(variant))
    assert abs(found[1:] - found[0]).max(-1).min() > 1e-5  # each of them did something


def test_batches_of_any_size_give_the_same(translator, trace):
    heads = all_heads(translator.config)
    assert len(heads) == 3 * translator.config.layers * translator.config.heads
    variants = [(head.silenced,) for head in heads[:: len(heads) // 12]]
    one, many = (run(translator, trace, variants, batch) for batch in (1, 8))
    np.testing.assert_allclose(one, many, atol=1e-4)


def test_decoder_variants_that_share_one_encoding_equal_those_that_do_not(translator, trace):
    decoder = [(Head("cross", 1, head).silenced,) for head in range(3)]
    alone = run(translator, trace, decoder)
    mixed = run(translator, trace, [*decoder, (Head("encoder", 0, 0).silenced,)])[:3]
    np.testing.assert_allclose(alone, mixed, atol=1e-4)


def test_a_contrast_is_the_difference_of_two_log_probabilities(translator, trace):
    ids = trace.target.predicted_ids
    this, that = ids[1], ids[0]
    variants = [(), (Head("cross", 0, 1).silenced,)]
    found = np.concatenate(
        list(each_variant(translator.model, trace.source.ids, ids, variants, contrast_of(1, this, that)))
    )
    both = [
        np.concatenate(
            list(
                each_variant(
                    translator.model, trace.source.ids, [ids[0], piece, *ids[2:]], variants,
                    log_probs_of([ids[0], piece, *ids[2:]]),
                )
            )
        )[:, 1]
        for piece in (this, that)
    ]  # fmt: skip
    np.testing.assert_allclose(found, both[0] - both[1], atol=1e-4)


def test_what_reorders_the_source_is_refused(translator, trace):
    with pytest.raises(ValueError, match="acts on the source"):
        run(translator, trace, [(edits.Shuffle(),)])


def test_nothing_is_left_on_the_model(translator, trace):
    before = translator.translate(SENTENCE)
    run(translator, trace, [(Head("encoder", 0, 0).silenced,)])
    assert translator.translate(SENTENCE) == before


def test_rows_of_both_stacks_may_share_a_batch(translator, trace):
    """Some begin in the encoder, some in the decoder, some have edits in both."""
    inner = edits.Temperature("decoder.layers.0.self_attention", 3.0)
    variants = [
        (Head("decoder", 0, 1).silenced,),
        (Head("encoder", 1, 2).silenced, inner),
        (Head("cross", 2, 1).silenced,),
        (),
        (edits.Hide(1), Head("decoder", 0, 0).silenced, edits.LiftMask()),
        (edits.Skip("encoder.layers.0.feed_forward"),),
    ]
    together, alone = run(translator, trace, variants, batch=6), run(translator, trace, variants, batch=1)
    np.testing.assert_allclose(together, alone, atol=1e-4)
    assert abs(np.delete(together, 3, 0) - together[3]).max(-1).min() > 1e-5


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (edits.Scale("decoder.layers.9.cross_attention", 0), "no hook point fits the edit"),
        (edits.Row("encoder.layers.0.self_attention", 0, 99, (1.0,)), "never acted: there is no such row"),
    ],
)
def test_one_variant_that_does_nothing_is_named_among_others_that_act(translator, trace, edit, message):
    with pytest.raises(LookupError, match=message):
        run(translator, trace, [(Head("encoder", 0, 0).silenced,), (edit,)])


def test_positions_are_one_for_all_rows_and_so_cannot_differ_by_variant(translator, trace):
    with pytest.raises(ValueError, match="which all rows of a batch share"):
        run(translator, trace, [(edits.PositionsOff(),)])


def test_several_sentences_under_many_variants_are_each_of_them_alone(translator):
    """Of other lengths, so that some are padded; edits of both stacks and inside a pattern."""
    texts = ["The boy who lost his hat laughed.", "We sleep.", "My aunt sells old lamps near the bridge."]
    cross, own = "decoder.layers.1.cross_attention", "encoder.layers.0.self_attention"
    variants = [
        (), (Head("encoder", 1, 2).silenced,), (edits.Uniform(own, 3),), (edits.Uniform(cross, 1),),
        (Head("decoder", 0, 1).silenced, Head("cross", 2, 1).silenced),
        (edits.Replace(cross, 4, (0.5,) * translator.config.head_width),),
        (edits.Skip("decoder.layers.0.feed_forward"),),
    ]  # fmt: skip
    traces = [translator.trace(text) for text in texts]
    source = pad([trace.source.ids for trace in traces])
    read = pad([trace.target.read_ids for trace in traces])
    with torch.inference_mode():
        hidden, _ = hidden_states(translator.model, source, read, variants)
        found = translator.model.predict(hidden).log_softmax(-1)
    for number, variant in enumerate(variants):
        for row, trace in enumerate(traces):
            ids = trace.target.predicted_ids
            told = translator.trace(texts[row], target=ids, edits=variant).log_probs
            here = found[number, row, range(len(ids)), ids].numpy()
            np.testing.assert_allclose(here, told, atol=1e-4, err_msg=f"{variant} {texts[row]}")
