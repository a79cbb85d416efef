"""Countries and other large regions: living in one and in a city is no contradiction."""

from functools import lru_cache

_NAMES = """
Afghanistan Albania Algeria Andorra Angola Argentina Armenia Australia Austria Azerbaijan Bahamas Bangladesh Barbados Belarus
Belgium Belize Bolivia Bosnia Botswana Brazil Bulgaria Cambodia Cameroon Canada Chile China Colombia Croatia Cuba Cyprus Czechia
Denmark Ecuador Egypt England Estonia Ethiopia Fiji Finland France Georgia Germany Ghana Greece Guatemala Haiti Honduras Hungary
Iceland India Indonesia Iran Iraq Ireland Israel Italy Jamaica Japan Jordan Kazakhstan Kenya Kosovo Kuwait Laos Latvia Lebanon
Liberia Libya Liechtenstein Lithuania Luxembourg Madagascar Malaysia Malta Mexico Moldova Monaco Mongolia Montenegro Morocco
Mozambique Namibia Nepal Netherlands Nicaragua Niger Nigeria Norway Oman Pakistan Panama Paraguay Peru Philippines Poland Portugal
Qatar Romania Russia Rwanda Scotland Senegal Serbia Singapore Slovakia Slovenia Somalia Spain Sudan Sweden Switzerland Syria Taiwan
Tanzania Thailand Tunisia Turkey Uganda Ukraine Uruguay Uzbekistan Venezuela Vietnam Wales Yemen Zambia Zimbabwe Europe Asia Africa
America Scandinavia UK USA US Bavaria Saxony Tuscany Sicily Sardinia Provence Brittany Normandy Catalonia Andalusia Galicia Flanders
Cornwall Devon Kent Yorkshire Cumbria Sussex Essex Dorset Norfolk Suffolk California Texas Florida Oregon Washington Nevada Arizona
Utah Colorado Montana Idaho Wyoming Kansas Nebraska Iowa Missouri Illinois Michigan Ohio Indiana Kentucky Tennessee Alabama Georgia
Mississippi Louisiana Arkansas Oklahoma Minnesota Wisconsin Maine Vermont Massachusetts Connecticut Pennsylvania Maryland Virginia
Delaware Hawaii Alaska Ontario Quebec Alberta Manitoba Saskatchewan Queensland Victoria Tasmania
"""
_LONG = (
    "united states", "united kingdom", "great britain", "new zealand", "south africa", "north america", "south america",
    "south korea", "north korea", "costa rica", "sri lanka", "saudi arabia", "czech republic", "el salvador", "new jersey",
    "north carolina", "south carolina", "west virginia", "new hampshire", "new mexico", "rhode island", "british columbia",
    "nova scotia", "northern ireland", "black forest", "basque country", "the netherlands", "puerto rico",
)  # fmt: skip


@lru_cache(maxsize=1)
def _regions() -> frozenset[str]:
    return frozenset(name.casefold() for name in _NAMES.split()) | frozenset(_LONG)


def is_region(place: str) -> bool:
    """
    >>> is_region("Germany"), is_region("the north of Spain"), is_region("Kiel")
    (True, True, False)
    """
    plain = place.casefold().removeprefix("the ")
    return plain in _regions() or any(
        plain.startswith((f"{side} of ", f"{side}ern ")) for side in ("north", "south", "east", "west")
    )
