"""Locales: how a place writes numbers and dates, and which language says them."""

from __future__ import annotations

from dataclasses import dataclass

from budgets.errors import UserError
from voice.tts.text.english import ENGLISH
from voice.tts.text.german import GERMAN
from voice.tts.text.language import Language
from voice.tts.text.romance import FRENCH, ITALIAN, PORTUGUESE, SPANISH


@dataclass(frozen=True, eq=False)
class Locale:
    """One place's conventions. Compared by identity; there is one object per locale."""

    code: str
    language: Language
    numbers: str
    """num2words' name of the language."""
    decimal: str
    """"." or ","; the other one groups thousands."""
    day_first: bool = True
    """3/4 is the third of April."""
    hundreds_and: bool = False
    """English only: "one hundred *and* one"."""
    dollar: str = "USD"
    """The currency that a bare "$" means."""
    respell: tuple[tuple[str, str], ...] = ()
    """Spellings of units and coins that differ from the language's table."""

    @property
    def english(self) -> bool:
        return self.language.code == "en"

    def spelled(self, word: str) -> str:
        """``word`` as this place spells it."""
        for theirs, ours in self.respell:
            word = word.replace(theirs, ours)
        return word


_METRE = (("meter", "metre"), ("liter", "litre"))
_LOCALES = (
    Locale("en_US", ENGLISH, "en", ".", day_first=False),
    Locale("en_GB", ENGLISH, "en", ".", hundreds_and=True, respell=_METRE),
    Locale("en_AU", ENGLISH, "en", ".", hundreds_and=True, respell=_METRE),
    Locale("en_CA", ENGLISH, "en", ".", day_first=False, respell=_METRE),
    Locale("en_IE", ENGLISH, "en", ".", hundreds_and=True, respell=_METRE),
    Locale("en_IN", ENGLISH, "en_IN", ".", hundreds_and=True, respell=_METRE),
    Locale("en_NZ", ENGLISH, "en", ".", hundreds_and=True, respell=_METRE),
    Locale("de_DE", GERMAN, "de", ","),
    Locale("de_AT", GERMAN, "de", ","),
    Locale("de_CH", GERMAN, "de", "."),
    Locale("es_ES", SPANISH, "es", ","),
    Locale("es_MX", SPANISH, "es", ".", dollar="MXN", respell=(("coma", "punto"),)),
    Locale("fr_FR", FRENCH, "fr", ","),
    Locale("fr_BE", FRENCH, "fr_BE", ","),
    Locale("fr_CA", FRENCH, "fr", ","),
    Locale("fr_CH", FRENCH, "fr_CH", "."),
    Locale("it_IT", ITALIAN, "it", ","),
    Locale("pt_PT", PORTUGUESE, "pt", ","),
    Locale(
        "pt_BR", PORTUGUESE, "pt_BR", ",", respell=(("quilóm", "quilôm"), ("cêntimo", "centavo"))
    ),
)
_BY_NAME = {locale.code.lower(): locale for locale in _LOCALES}
for _locale in reversed(_LOCALES):
    _BY_NAME[_locale.language.code] = _locale  # the first one listed is the language's default


def resolve(name: str) -> Locale:
    """The locale called ``name``: "en_US", "en-us", or "en" for a language's default.

    Raises UserError for one that is not known.
    """
    found = _BY_NAME.get(name.strip().lower().replace("-", "_"))
    if found is None:
        known = ", ".join(locale.code for locale in _LOCALES)
        raise UserError(f"unknown locale '{name}'; known are {known}")
    return found
