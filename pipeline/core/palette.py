"""The fixed palette of 24 colour names and their sRGB values."""

from types import MappingProxyType

PALETTE: MappingProxyType[str, tuple[int, int, int]] = MappingProxyType(
    {
        "red": (220, 40, 40),
        "coral": (255, 127, 95),
        "maroon": (128, 16, 32),
        "orange": (255, 140, 20),
        "gold": (218, 175, 40),
        "peach": (255, 205, 170),
        "tan": (205, 175, 130),
        "brown": (135, 80, 40),
        "yellow": (255, 225, 40),
        "olive": (128, 128, 24),
        "lime": (160, 230, 50),
        "mint": (150, 240, 190),
        "green": (35, 160, 60),
        "teal": (0, 128, 128),
        "cyan": (40, 215, 235),
        "blue": (40, 90, 225),
        "navy": (20, 30, 120),
        "purple": (130, 50, 175),
        "lavender": (190, 160, 245),
        "magenta": (230, 40, 200),
        "pink": (255, 150, 195),
        "white": (245, 245, 245),
        "gray": (140, 140, 140),
        "black": (25, 25, 25),
    }
)
