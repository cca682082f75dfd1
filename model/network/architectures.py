"""Which network a config asks for: the Transformer, or one of those that it replaced."""

from model.network.config import RECURRENT, Config
from model.network.convolutional import Convolutional
from model.network.recurrent import Recurrent
from model.network.seq2seq import Seq2Seq
from model.network.transformer import Transformer


def network(config: Config) -> Seq2Seq:
    """A network of this shape, with random weights."""
    if config.architecture in RECURRENT:
        return Recurrent(config)
    return Convolutional(config) if config.architecture == "convolutional" else Transformer(config)
