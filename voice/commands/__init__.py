"""The subcommands of `under800`, one file each."""
