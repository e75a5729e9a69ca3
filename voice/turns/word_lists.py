"""The words that say whether a sentence goes on, for the languages that have a list here."""

from __future__ import annotations


def _by_language(**lists: str) -> dict[str, frozenset[str]]:
    return {language: frozenset(words.split()) for language, words in lists.items()}


GOING_ON = _by_language(
    en="""
    and or but because if while which whose than although unless until
    the a an my your its our their every another of to from with into by at between
    i we they he she i'm i've i'd we're um uh er erm hmm uhm
    """,
    es="""
    y e o u pero porque que si cuando como aunque el la los las un una unos unas mi tu su nuestro
    de del a al con por para en sin sobre entre hasta desde muy eh em
    """,
    fr="""
    et ou mais parce que car si quand comme qui dont le la les un une des du de au aux mon ma mes
    ton ta votre notre ce cette à pour dans en sans sur entre chez je nous très euh
    """,
    de="""
    und oder aber weil dass denn wenn ob als der die den dem des ein eine einen einem einer
    mein meine meinen dein unser von vom zum zur für beim im zwischen ich wir sehr äh ähm
    """,
    it="""
    e o ma perché che se quando come il lo la i gli le un uno una mio mia miei tuo suo nostro
    di del della a al alla da dal con per in nel su tra fra molto ehm
    """,
    pt="""
    e ou mas porque que se quando como o a os as um uma meu minha seu sua nosso
    de do da em no na com por para sem sobre entre até muito hum ééé
    """,
)
"""After these a sentence goes on, whatever mark the transcriber put behind them."""

OFTEN_LAST = _by_language(
    en="""
    in on for about through so then also as when that who whom though
    his her this these those some any each just like very really it's there's
    is are was were am be been do does did have has had will would can could should might must
    want need
    """,
    es="este esta esto es son está",
    fr="avec est sont ça",
    de="das dieser diese ihr ihre mit nach aus zu an auf ab um bei in ist sind war also",
    it="questo questa è sono",
    pt="este esta isso é são",
)
"""After these it often goes on, but "that is what I am looking for." does not."""

ANSWERS = _by_language(
    en="""
    yes yeah yep yup sure okay ok right correct exactly absolutely please thanks thank you no nope
    nah not hello hi hey bye goodbye good great perfect fine alright maybe sorry what never mind mhm
    mm-hmm uh-huh that's it all nothing else cool awesome wonderful certainly definitely of course
    really then
    """,
    es="sí si no claro vale gracias por favor hola adiós bueno perfecto exacto correcto nada más",
    fr="oui non merci bonjour salut d'accord parfait exact voilà bien sûr s'il vous plaît rien",
    de="ja nein doch gut danke bitte hallo tschüss genau richtig okay klar gerne nichts mehr",
    it="sì si no grazie prego ciao va bene certo esatto perfetto per favore niente basta",
    pt="sim não claro obrigado obrigada por favor olá tchau bom certo exato perfeito nada mais",
)
"""A few of these and nothing else are a whole answer."""
