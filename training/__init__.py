"""Scene renderer, data sets and training of the networks; never installed by users."""
