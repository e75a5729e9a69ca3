"""Commands that measure ours against the stock way."""
