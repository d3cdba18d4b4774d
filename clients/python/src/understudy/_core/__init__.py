"""The behaviour that both clients share. This package does no input and no output."""
