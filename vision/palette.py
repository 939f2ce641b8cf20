"""The colours of every drawing, in one place.

Terrain and species take their hues from the game and their lightness apart: any two of a list differ by
at least 10 in CIE L*, so that they stay apart for dichromats and in grey print. No meaning is carried by
colour alone; terrains also have a letter, species two.
"""

from __future__ import annotations

from scoring.pieces import Species, Terrain

Color = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

TERRAIN_COLORS: dict[Terrain, Color] = {
    Terrain.MOUNTAIN: (138, 130, 145),
    Terrain.FOREST: (16, 80, 42),
    Terrain.PRAIRIE: (240, 201, 60),
    Terrain.WETLAND: (124, 180, 92),
    Terrain.RIVER: (26, 98, 186),
}
TERRAIN_LETTERS: dict[Terrain, str] = {
    Terrain.MOUNTAIN: "M",
    Terrain.FOREST: "F",
    Terrain.PRAIRIE: "P",
    Terrain.WETLAND: "W",
    Terrain.RIVER: "R",
}

SPECIES_COLORS: dict[Species, Color] = {
    Species.BEAR: (88, 52, 32),
    Species.ELK: (224, 196, 150),
    Species.SALMON: (216, 88, 104),
    Species.HAWK: (36, 98, 160),
    Species.FOX: (242, 136, 30),
}
SPECIES_LETTERS: dict[Species, str] = {
    Species.BEAR: "Be",
    Species.ELK: "El",
    Species.SALMON: "Sa",
    Species.HAWK: "Ha",
    Species.FOX: "Fo",
}

INK: Color = (20, 20, 24)
PAPER: Color = (255, 255, 255)
DOUBT: Color = (255, 221, 51)
HIGHLIGHT: Color = (255, 0, 170)
TABLE: Color = (236, 233, 226)


def ink_on(color: Color) -> Color:
    """Black or white, whichever is easier to read on `color` (by its luma, Rec. 601)."""
    red, green, blue = color
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 130 else PAPER
