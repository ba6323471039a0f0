"""The facts of the tea story: four teas, their laboratory reports, the order book, a logger."""

from datetime import datetime, timedelta

from samples.makers.dice import Dice
from samples.makers.scenes import Json

TEAS = {
    "T1": ("Yunwu green, organic", "FY26-L1", 1080, 92),
    "T2": ("Jasmine pearls", "FY26-L2", 1170, 128),
    "T3": ("Tie Guan Yin", "FY26-L3", 900, 110),
    "T4": ("White peony", "FY26-L4", 1080, 154),
}
"""Article: name, lot, kilograms on the packing list, yuan for a kilogram."""
PRIORITY_A = ("Kinnear Hotels", "Bothy Coffee", "Isla & Finch", "The Leaf Room", "Harbour Deli")
PRIORITY_B = (
    "Ninewells Canteen",
    "Corrie Tearooms",
    "St Abbs Stores",
    "Lomond Spa",
    "Quayside Books",
    "Fern & Kettle",
    "Royal Mile Gifts",
    "Aberlady Farm Shop",
    "Dunbar Bakehouse",
)
CUSTOMERS = PRIORITY_A + PRIORITY_B
REPORTS = {
    "FY26-L1": "TA-47983",
    "FY26-L2": "TA-40494",
    "FY26-L3": "TA-48424",
    "FY26-L4": "TA-41485",
}
TOLFENPYRAD = {"FY26-L3": 0.083, "FY26-L2": 0.021}
"""Milligrams for a kilogram; the limit is 0.05."""
QUANTIFIED = 0.01
"""Smaller values cannot be told from nothing."""
SUBSTANCES = """
acetamiprid azoxystrobin bifenthrin boscalid buprofezin carbendazim carbofuran chlorantraniliprole
chlorfenapyr chlorpyrifos clothianidin cyfluthrin cyhalothrin cypermethrin deltamethrin
diafenthiuron dicofol difenoconazole dimethoate dinotefuran emamectin endosulfan etofenprox
fenpropathrin fenpyroximate fenvalerate fipronil flubendiamide hexythiazox imidacloprid indoxacarb
isoprocarb kresoxim-methyl lufenuron malathion methidathion methomyl methoxyfenozide nitenpyram
omethoate permethrin phorate phoxim propargite pymetrozine pyraclostrobin pyridaben quinalphos
spinosad spirotetramat tebuconazole tebufenpyrad thiacloprid thiamethoxam tolfenpyrad triazophos
trichlorfon trifloxystrobin
"""
XIAMEN, SINGAPORE, FELIXSTOWE = "Xiamen", "Singapore", "Felixstowe"
STOPS = (
    ("2026-02-18T09:40", XIAMEN, "gate in, full"),
    ("2026-02-20T22:15", XIAMEN, "loaded on MV Northern Jade, voyage 026W"),
    ("2026-02-27T06:30", SINGAPORE, "transshipment, discharged"),
    ("2026-03-02T19:05", SINGAPORE, "loaded on MV Solent Carrier, voyage 117W"),
    ("2026-04-07T04:50", FELIXSTOWE, "discharged"),
    ("2026-04-08T11:20", FELIXSTOWE, "customs hold: 41 (documents), 63 (certificate)"),
)


def orders(dice: Dice) -> list[Json]:
    """Fill the order book, oldest first."""
    rows = []
    for number in range(44):
        article = dice.pick(("T1", "T1", "T2", "T2", "T3", "T4", "T4"))
        customer = dice.pick(CUSTOMERS)
        placed = datetime.fromisoformat("2026-02-02") + timedelta(days=number * 3 // 2)
        kg = dice.pick((20, 30, 40, 40, 60, 80, 120))
        row = {
            "order": f"C-{20411 + 7 * number}",
            "customer": customer,
            "article": article,
            "kg": kg * 2 if customer == "Kinnear Hotels" else kg,
            "priority": "A" if customer in PRIORITY_A else "B",
            "placed": f"{placed:%Y-%m-%d}",
            "wanted_by": f"{placed + timedelta(days=70):%Y-%m-%d}",
        }
        rows.append(row)
    return rows


def residues(lot: str) -> list[Json]:
    """Analyze a lot. The limit of a substance is the same for every lot."""
    dice, rows = Dice(f"lab {lot}"), []
    for name in SUBSTANCES.split():
        limit = Dice(f"limit {name}").pick((0.01, 0.05, 0.05, 0.1, 3.0, 5.0))
        found = limit * dice.between(5, 55) / 100 if dice.chance(0.18) else 0.0
        if name == "tolfenpyrad":
            limit, found = 0.05, TOLFENPYRAD.get(lot, 0.0)
        shown = f"{found:.3f}" if found >= QUANTIFIED else f"<{QUANTIFIED:.3f}"
        rows.append({"substance": name, "mg_per_kg": shown, "loq": QUANTIFIED, "limit": limit})
    return rows


def logger() -> list[Json]:
    """Read out the data logger of the container: every six hours on the way."""
    dice, start = Dice("hold temperature"), datetime.fromisoformat("2026-02-20T00:00")
    return [
        {
            "at": f"{start + timedelta(hours=6 * number):%Y-%m-%dT%H:%M}",
            "celsius": dice.between(142, 261) / 10,
            "humidity": dice.between(44, 63),
        }
        for number in range(192)
    ]


def sales(article: str, count: int) -> list[Json]:
    """Look up who bought a tea lately, the newest sale first."""
    dice, day, rows = Dice(f"sales {article}"), datetime.fromisoformat("2026-04-10"), []
    for _ in range(count):
        day -= timedelta(days=dice.between(1, 9))
        row = {
            "date": f"{day:%Y-%m-%d}",
            "customer": dice.pick(CUSTOMERS[1:11]),
            "kg": dice.pick((10, 20, 20, 30, 40, 60)),
            "gbp_per_kg": dice.between(2450, 2890) / 100,
        }
        rows.append(row)
    return rows


def rates(start: str, days: int) -> list[Json]:
    """List the market rates of some days."""
    dice, first = Dice("rates"), datetime.fromisoformat(start)
    return [
        {
            "date": f"{first + timedelta(days=number):%Y-%m-%d}",
            "cny_per_gbp": (9240 + dice.between(0, 140)) / 1000,
        }
        for number in range(days)
    ]
