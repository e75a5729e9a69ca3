"""The thin adapter to pipecat."""
