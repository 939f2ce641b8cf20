"""The rules of Cascadia: an environment goes in, the score sheet with its reasons comes out."""
