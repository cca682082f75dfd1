"""The shell: python -m model translate | evaluate | score | trace | heads | ship | info | distil | train."""

from model.commands.shell import main

if __name__ == "__main__":
    raise SystemExit(main())
