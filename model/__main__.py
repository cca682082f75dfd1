"""The shell: python -m model translate | evaluate | score | trace | heads | stories | ship | train | …"""

from model.commands.shell import main

if __name__ == "__main__":
    raise SystemExit(main())
