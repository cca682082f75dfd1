"""The shell: python -m model translate | evaluate | trace | heads | stories | searches | ship | train | …"""

from model.commands.shell import main

if __name__ == "__main__":
    raise SystemExit(main())
