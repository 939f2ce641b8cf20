"""The `cascadia` command: parsing, files and printing; reading and scoring live in `vision` and `scoring`."""
