# `make app` starts Headlight, `make test` checks it; each does all its own set-up.
#
# Linux without a GPU, to spare the download of CUDA:
#   make app TORCH_INDEX=https://download.pytorch.org/whl/cpu

PYTHON ?= python3
TORCH_INDEX ?=
BENCHES ?= checkpoint_load replay_cost head_sweep first_view enter_to_heatmap

TORCH := $(shell sed -n 's/.*"\(torch==[^"]*\)".*/\1/p' pyproject.toml)
APT := $(shell [ "$$(id -u)" = 0 ] && command -v apt-get)
CHROMIUM := $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)
HANGUL := $(shell fc-list :lang=ko 2>/dev/null | head -n 1)
APT_INSTALL := apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends

.PHONY: app dev test test-fast lint format bench contact-sheet browser

app: .venv/ready-to-run
	.venv/bin/streamlit run viz/serve.py

# The same, and every saved change of the code shows at once.
dev: .venv/ready-to-run
	.venv/bin/streamlit run viz/serve.py --server.fileWatcherType auto --server.runOnSave true

test: lint browser
	.venv/bin/pytest -n 2 --dist loadfile

# Everything that needs no browser and no long run: a minute, for while one works.
test-fast: .venv/ready-to-test
	.venv/bin/pytest -n 2 --dist loadfile -m "not slow" --ignore tests/browser

lint: .venv/ready-to-test
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy

format: .venv/ready-to-test
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .

# Ratios, taken in one run: see benchmarks/. BENCHES names others.
bench: .venv/ready-to-test browser
	for name in $(BENCHES); do echo "== $$name"; .venv/bin/python -m benchmarks.$$name || exit 1; done

# How every page and panel looks, on three screens. SHEET="--only look --screens phone" takes some of it.
contact-sheet: .venv/ready-to-test browser
	.venv/bin/python -m benchmarks.contact_sheet $(SHEET)

.venv/ready-to-run: EXTRAS =
.venv/ready-to-test: EXTRAS = [test]
.venv/ready-to-run .venv/ready-to-test: pyproject.toml | .venv/bin/pip
	$(if $(TORCH_INDEX),.venv/bin/pip install --index-url $(TORCH_INDEX) $(TORCH))
	.venv/bin/pip install --editable ".$(EXTRAS)"
	touch $@

# Debian keeps what `venv` needs in a package of its own.
.venv/bin/pip:
	$(PYTHON) -m venv .venv $(if $(APT),|| { $(APT_INSTALL) python3-venv && $(PYTHON) -m venv .venv; })

# Browser tests need Chromium, and a font with Hangul to look at what they drew.
browser: .venv/ready-to-test
ifneq ($(APT),)
	$(if $(and $(CHROMIUM),$(HANGUL)),,$(APT_INSTALL) $(if $(CHROMIUM),,chromium) $(if $(HANGUL),,fontconfig fonts-noto-cjk))
else
	$(if $(CHROMIUM),,.venv/bin/playwright install chromium)
endif
