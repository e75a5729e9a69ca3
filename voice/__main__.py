"""``python -m voice`` is ``under800``."""

from voice.cli import main

main()
