"""A class is sent to an address it can reach, or told that there is none."""

import io

import numpy as np
import pytest
from PIL import Image

from viz.frame.sharing import network_address, qr_code, reachable


@pytest.mark.parametrize(
    ("url", "listening", "network", "expected"),
    [
        ("http://school.example:8501/all_heads?x=1", "127.0.0.1", None, "http://school.example:8501/"),
        ("https://headlight.example/", None, "10.0.0.3", "https://headlight.example/"),
        ("http://localhost:8501/", None, "10.0.0.3", "http://10.0.0.3:8501/"),
        ("http://127.0.0.1:8501/", "0.0.0.0", "10.0.0.3", "http://10.0.0.3:8501/"),
        ("http://localhost:8501/", "127.0.0.1", "10.0.0.3", None),
        ("http://localhost:8501/", None, None, None),
    ],
)
def test_the_address_is_one_that_others_reach(url, listening, network, expected):
    assert reachable(url, listening, network) == expected


def test_this_machines_address_is_not_its_own_name_for_itself():
    address = network_address()
    assert address is None or not address.startswith("127.")


def test_a_link_becomes_a_code_of_square_modules_unless_it_is_too_long():
    pixels = np.asarray(Image.open(io.BytesIO(qr_code("http://10.0.0.3:8501/?s=Hello"))).convert("L"))
    assert pixels.shape[0] == pixels.shape[1]
    modules = pixels[::8, ::8]
    np.testing.assert_array_equal(np.kron(modules, np.ones((8, 8), int)), pixels)
    finder = modules[4:11, 4:11] == 0  # the first of the three marks in the corners, behind a quiet border
    assert finder[0].all() and finder[:, 0].all() and finder[2:5, 2:5].all() and not finder[1, 1:6].any()
    assert qr_code("http://10.0.0.3:8501/?s=" + "word" * 1_000) is None
