"""The page: snap, check two tiles, see the score."""
