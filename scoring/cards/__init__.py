"""A module for the four cards of each species: environment in, points and the groups that earned them out."""
