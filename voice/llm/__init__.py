"""Language models: the embedded server and the streaming client."""
