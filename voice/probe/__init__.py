"""Doors by which the outside caller reaches an agent: in process, or over a socket."""
