"""German: the words around numbers."""

from __future__ import annotations

from voice.tts.text.language import Coin, Language, months_of, units_of

GERMAN = Language(
    code="de",
    months=months_of(
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
    ),
    minus="minus",
    point="Komma",
    percent="Prozent",
    to="bis",
    and_="und",
    plus="plus",
    times="mal",
    by="mal",
    equals="gleich",
    at="ät",
    dot="Punkt",
    dash="Strich",
    underscore="Unterstrich",
    slash="Schrägstrich",
    number="Nummer",
    degrees="Grad",
    per="pro",
    coins={
        "USD": Coin(("Dollar", "Dollar"), ("Cent", "Cent")),
        "EUR": Coin(("Euro", "Euro"), ("Cent", "Cent")),
        "GBP": Coin(("Pfund", "Pfund"), ("Penny", "Pence")),
        "CHF": Coin(("Franken", "Franken"), ("Rappen", "Rappen")),
        "JPY": Coin(("Yen", "Yen")),
    },
    coins_and="und",
    million_of="",
    scales={
        "Tsd.": (3, "tausend", "tausend"),
        "Mio.": (6, "Million", "Millionen"),
        "Mrd.": (9, "Milliarde", "Milliarden"),
        "Million": (6, "Million", "Millionen"),
        "Millionen": (6, "Million", "Millionen"),
        "Milliarden": (9, "Milliarde", "Milliarden"),
    },
    units=units_of(
        "km Kilometer; m Meter; cm Zentimeter; mm Millimeter; kg Kilogramm; g Gramm; l Liter;"
        "ml Milliliter; km/h Kilometer pro Stunde; MB Megabyte; GB Gigabyte; Min. Minute|Minuten;"
        "min Minute|Minuten; Std. Stunde|Stunden; s Sekunde|Sekunden; °C Grad Celsius; ° Grad"
    ),
    cues=(
        r"code|pin|bestellung|bestellnummer|nummer|kundennummer|referenz|buchung|konto|rechnung"
        r"|rechnungsnummer|sendungsnummer|postleitzahl|plz|flug"
    ),
    abbreviations={
        "Hr": "Herr",
        "Hrn": "Herrn",
        "Fr": "Frau",
        "Dr": "Doktor",
        "Prof": "Professor",
        "z. B": "zum Beispiel",
        "z.B": "zum Beispiel",
        "d. h": "das heißt",
        "d.h": "das heißt",
        "u. a": "unter anderem",
        "u.a": "unter anderem",
        "usw": "und so weiter",
        "bzw": "beziehungsweise",
        "ca": "circa",
        "Nr": "Nummer",
        "Str": "Straße",
        "Tel": "Telefon",
        "inkl": "inklusive",
        "zzgl": "zuzüglich",
    },
)
