"""When the caller speaks, and when the caller is done."""
