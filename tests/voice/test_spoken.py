"""The text front end says what is written as people say it."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budgets.errors import UserError
from voice.tts.spoken import spoken
from voice.tts.text.espeak import with_letters

MONEY = [
    ("That is $49.95.", "That is forty-nine dollars and ninety-five cents."),
    ("$5, $1 and $0.99", "five dollars, one dollar and ninety-nine cents"),
    ("$1.00 or $0.01", "one dollar or one cent"),
    ("$.50", "fifty cents"),
    ("$1.2M", "one point two million dollars"),
    ("$5 million", "five million dollars"),
    ("$1.5 billion dollars", "one point five billion dollars"),
    ("£1.5bn", "one point five billion pounds"),
    ("£3.50", "three pounds and fifty pence"),
    (
        "€1,234.56",
        "one thousand two hundred thirty-four euros and fifty-six cents",
    ),
    ("1.234,56 €", "one thousand two hundred thirty-four euros and fifty-six cents"),
    ("9,99 €", "nine euros and ninety-nine cents"),
    ("20 USD", "twenty dollars"),
    ("EUR 20", "twenty euros"),
    ("US$5 and C$20", "five US dollars and twenty Canadian dollars"),
    ("50¢", "fifty cents"),
    ("-$5.25", "minus five dollars and twenty-five cents"),
    ("$1/mo", "one dollar per month"),
    ("$1,299.00/yr", "one thousand two hundred ninety-nine dollars per year"),
    ("$20-a-month", "twenty dollars a month"),
    ("a $10 gift card", "a ten dollar gift card"),
    ("€5–€10", "five to ten euros"),
    ("$10-20", "ten to twenty dollars"),
    ("$5 T-shirts", "five dollars T-shirts"),
    ("It costs $3. Then $4.", "It costs three dollars. Then four dollars."),
    ("¥500", "five hundred yen"),
]
TIMES = [
    ("8:00", "eight o'clock"),
    ("at 8:05", "at eight oh five"),
    ("8:30pm", "eight thirty P M"),
    ("8 a.m. tomorrow", "eight A M tomorrow"),
    ("We open at 8 a.m. We close at 6 p.m.", "We open at eight A M. We close at six P M."),
    ("10 a.m. Monday", "ten A M Monday"),
    ("17:45", "seventeen forty-five"),
    ("17:00", "seventeen hundred"),
    ("12:00", "twelve o'clock"),
    ("12:00 noon", "twelve noon"),
    ("00:30", "twelve thirty A M"),
    ("9am-5pm", "nine A M to five P M"),
    ("9-5", "nine to five"),
    ("8-10 a.m.", "eight to ten A M."),
    ("10 a.m.-2 p.m. today", "ten A M to two P M today"),
    ("8:00–10:30", "eight o'clock to ten thirty"),
    ("8 o'clock", "eight o'clock"),
    ("5:00 PM PST", "five P M PST"),
    ("GMT+2", "GMT plus two"),
    ("0830 hours", "oh eight thirty hours"),
    ("8.30pm", "eight thirty P M"),
]
DATES = [
    ("2026-11-30", "November thirtieth, twenty twenty-six"),
    ("2026-11-30T08:00", "November thirtieth, twenty twenty-six, at eight o'clock"),
    ("11/30/2026", "November thirtieth, twenty twenty-six"),
    ("30/11/2026", "November thirtieth, twenty twenty-six"),
    ("30.11.2026", "November thirtieth, twenty twenty-six"),
    ("12/1/26", "December first, twenty twenty-six"),
    ("Nov 30", "November thirtieth"),
    ("30 Nov 2026", "November thirtieth, twenty twenty-six"),
    ("the 30th of November, 2026", "the thirtieth of November, twenty twenty-six"),
    (
        "at 12:30 p.m. on Dec. 3rd, 2026",
        "at twelve thirty P M on December third, twenty twenty-six",
    ),
    ("Feb. 29", "February twenty-ninth"),
    ("Nov 3-5", "November third to fifth"),
    ("Nov 30 - Dec 2", "November thirtieth to December second"),
    ("March 2026", "March twenty twenty-six"),
    ("on 3/4", "on March fourth"),
    ("by 11/30", "by November thirtieth"),
    ("12/25", "December twenty-fifth"),
    ("expires 09/27", "expires oh nine twenty-seven"),
    ("Mon-Fri", "Monday to Friday"),
    ("Mon, Nov 30", "Monday, November thirtieth"),
    ("In 1999, 2005 and 2026", "In nineteen ninety-nine, two thousand five and twenty twenty-six"),
    ("in 1905", "in nineteen oh five"),
    ("in 1066", "in ten sixty-six"),
    ("1990s", "nineteen nineties"),
    ("the '80s", "the eighties"),
    ("2000s", "two thousands"),
    ("1914-1918", "nineteen fourteen to nineteen eighteen"),
    ("2000 people", "two thousand people"),
    ("May I help", "May I help"),
]
NUMBERS = [
    ("1st, 22nd, 3rd", "first, twenty-second, third"),
    ("103rd", "one hundred third"),
    ("1st–3rd", "first to third"),
    ("5%, 2.5 %", "five percent, two point five percent"),
    ("0.5%", "zero point five percent"),
    ("10–15%", "ten to fifteen percent"),
    ("10%–20% off", "ten to twenty percent off"),
    ("3-5 days", "three to five days"),
    ("5–10 business days", "five to ten business days"),
    ("10 – 20", "ten to twenty"),
    ("-5 to 10", "minus five to ten"),
    ("3.14", "three point one four"),
    (".5", "zero point five"),
    ("1,234,567", "one million two hundred thirty-four thousand five hundred sixty-seven"),
    ("1.000.000", "one million"),
    ("1,2,3", "one, two, three"),
    ("1/2", "one half"),
    ("1/4 cup", "one quarter cup"),
    ("3 1/2", "three and a half"),
    ("3½", "three and a half"),
    ("2 3/4", "two and three quarters"),
    ("2/3", "two thirds"),
    ("9/10", "nine out of ten"),
    ("⭐ 4.5/5", "four point five out of five"),
    ("120/80", "one hundred twenty over eighty"),
    ("24/7", "twenty-four seven"),
    ("9/11", "nine eleven"),
    ("50/50", "fifty fifty"),
    ("1:1", "one to one"),
    ("16:9", "sixteen to nine"),
    ("2x4", "two by four"),
    ("1920x1080", "nineteen twenty by ten eighty"),
    ("2x faster", "two times faster"),
    ("100+", "one hundred plus"),
    ("~5", "about five"),
    ("5 - 3 = 2", "five minus three equals two"),
    ("2+2=4", "two plus two equals four"),
    ("10k steps", "ten thousand steps"),
    ("24-hour, 4-year-old", "twenty-four-hour, four-year-old"),
    ("٣٤ and １２", "thirty-four and twelve"),
]
UNITS = [
    ("5 km, 10kg", "five kilometers, ten kilograms"),
    ("1 km", "one kilometer"),
    ("3.5 GB", "three point five gigabytes"),
    ("20°C", "twenty degrees Celsius"),
    ("-40°F", "minus forty degrees Fahrenheit"),
    ("5'11", "five foot eleven"),
    ("It's 5'10\".", "It's five foot ten."),
    ("5’11” tall", "five foot eleven tall"),
    ("6 ft 2 in", "six feet two inches"),
    ("12.5 lbs", "twelve point five pounds"),
    ("10,000 mAh", "ten thousand milliamp hours"),
    ('a 12" pizza', "a twelve inch pizza"),
    ("60 mph, 100 km/h", "sixty miles per hour, one hundred kilometers per hour"),
    ("20 m²", "twenty square meters"),
    ("a 5-km run", "a five kilometer run"),
    ("5 min. walk", "five minutes walk"),
    ("5 in stock", "five in stock"),
]
CODES = [
    ("Your code is 4821.", "Your code is four eight two one."),
    ("PIN: 0042", "PIN: zero zero four two"),
    ("4821 is your verification code", "four eight two one is your verification code"),
    ("Your code is 482-193", "Your code is four eight two, one nine three"),
    ("order 48213", "order four eight two one three"),
    ("order #12345", "order number one two three four five"),
    ("order number #12345", "order number one two three four five"),
    ("order 500 units", "order five hundred units"),
    ("#1 choice", "number one choice"),
    ("AB-1234", "A B, one two three four"),
    (
        "Order #A1B2-C3D4 ships 3–5 days",
        "Order number A one B two, C three D four ships three to five days",
    ),
    (
        "1Z999AA10123456784",
        "one Z nine nine nine A A one zero one, two three four, five six seven, eight four",
    ),
    ("card ending in 4242", "card ending in four two four two"),
    ("SSN 123-45-6789", "SSN one two three, four five, six seven eight nine"),
    ("Flight BA2490", "Flight B A two four nine zero"),
    ("Flight BA 2490", "Flight B A two four nine zero"),
    ("room 1204", "room twelve oh four"),
    ("Room 101, please", "Room one oh one, please"),
    ("ZIP 94107", "ZIP nine four one zero seven"),
    ("SW1A 1AA", "S W one A, one A A"),
    ("COVID-19", "COVID nineteen"),
    ("B2B, H2O", "B two B, H two O"),
    ("iPhone 15", "iPhone fifteen"),
    ("Wi-Fi 6E", "Wi-Fi six E"),
    ("SAVE20", "SAVE twenty"),
    ("v2.3.1", "version two point three point one"),
    ("No. 5", "Number five"),
    ("№ 5", "Number five"),
    ("No. We close.", "No. We close."),
]
PHONES = [
    ("+1 (415) 555-0132", "plus one, four one five, five five five, zero one three two"),
    ("+14155550132", "plus one, four one five, five five five, zero one three two"),
    ("415-555-0132", "four one five, five five five, zero one three two"),
    ("415.555.0132", "four one five, five five five, zero one three two"),
    ("555-0132", "five five five, zero one three two"),
    ("(555) 010-9999", "five five five, zero one zero, nine nine nine nine"),
    (
        "Call 1-800-555-0199 ext. 22.",
        "Call one, eight hundred, five five five, zero one nine nine, extension two two.",
    ),
    ("020 7946 0018", "zero two zero, seven nine four six, zero zero one eight"),
    ("+44 20 7946 0018", "plus four four, two zero, seven nine four six, zero zero one eight"),
    ("Call 911", "Call nine one one"),
    ("Press # or 1", "Press pound or one"),
]
ADDRESSES = [
    ("support@acme.com.", "support at acme dot com."),
    (
        "john.doe_99+x@my-site.co.uk",
        "john dot doe underscore nine nine plus x at my dash site dot co dot uk",
    ),
    ("https://www.example.com/help", "example dot com slash help"),
    ("(see example.com).", "see example dot com."),
    ("192.168.1.1", "one nine two dot one six eight dot one dot one"),
    ("report.pdf", "report dot P D F"),
    ("221B Baker St.", "two twenty-one B Baker Street."),
    ("Dr. Lee, 12 Oak Dr.", "Doctor Lee, twelve Oak Drive."),
    ("St. Mary on Main St. today", "Saint Mary on Main Street today"),
    ("5th Ave", "fifth Avenue"),
]
WORDS = [
    ("Mr. and Mrs. J. R. Smith Jr.", "Mister and Missus J R Smith Junior."),
    ("e.g. this, i.e. that, etc.", "for example this, that is that, et cetera."),
    ("cats vs. dogs, approx. 5", "cats versus dogs, approximately five"),
    ("Ch. 4, p. 12", "Chapter four, page twelve"),
    ("Acme Inc. is here", "Acme Incorporated is here"),
    ("the U.S. office", "the U S office"),
    ("I live in the U.S.", "I live in the U S."),
    ("My ID, PIN and FAQ", "My ID, PIN and F A Q"),
    ("AT&T and Q&A", "A T and T and Q and A"),
    ("C++ and C#", "C plus plus and C sharp"),
    ("Tom & Jerry @ home", "Tom and Jerry at home"),
    ("and/or, he/she, pickup/delivery", "and or, he or she, pickup slash delivery"),
    ("item(s) w/o tax", "items without tax"),
    ("I'm 100% sure", "I'm one hundred percent sure"),
]
WRITTEN = [
    ("**Bold**, *italic*, __b__, ~~old~~ and `code`", "Bold, italic, b, old and code"),
    ("[our page](http://x.com/a,b) now", "our page now"),
    ("# Heading\nText", "Heading. Text"),
    ("Items:\n- one\n- two", "Items: one. two"),
    ("1. First\n2. Second", "one, First. two, Second"),
    ("| a | b |\n|---|---|\n| 1 | 2 |", "a, b. one, two"),
    ("Great 👍🏽 job 🎉!", "Great job!"),
    ("1️⃣ thing", "one thing"),
    ("Tom &amp; Jerry&nbsp;go", "Tom and Jerry go"),
    ("He said “hi”", 'He said "hi"'),
    ("Wow!!! What??", "Wow! What?"),
    ("Well… okay. Hmm... Yes", "Well, okay. Hmm. Yes"),
    ("yes — no -- maybe", "yes, no, maybe"),
    ("It (mostly) works.", "It, mostly, works."),
    ("hello :) there", "hello there"),
    ("5 * 3 = 15", "five times three equals fifteen"),
    ("<b>Hi</b><br>there", "Hi. there"),
]
ENGLISH = [
    *MONEY, *TIMES, *DATES, *NUMBERS, *UNITS, *CODES, *PHONES, *ADDRESSES, *WORDS, *WRITTEN,
]  # fmt: skip

ELSEWHERE = [
    ("en_GB", "30/11/2026", "the thirtieth of November, twenty twenty-six"),
    ("en_GB", "3/4/2026", "the third of April, twenty twenty-six"),
    ("en_US", "3/4/2026", "March fourth, twenty twenty-six"),
    ("en_GB", "101 and 5 km", "one hundred and one and five kilometres"),
    ("en-gb", "in 2005", "in two thousand and five"),
    ("es_ES", "49,95 €", "cuarenta y nueve euros con noventa y cinco céntimos"),
    ("es", "1.234,56 €", "mil doscientos treinta y cuatro euros con cincuenta y seis céntimos"),
    ("es", "21 €, £21", "veintiún euros, veintiuna libras"),
    ("es", "1.000.000 €", "un millón de euros"),
    ("es_MX", "$5", "cinco pesos"),
    ("es", "a las 8:30", "a las ocho y treinta"),
    ("es", "2,5 %, 10–15%", "dos coma cinco por ciento, diez a quince por ciento"),
    ("es", "el 30/11/2026", "el treinta de noviembre de dos mil veintiséis"),
    ("es", "1.º, 2.ª, 3er piso", "primero, segunda, tercer piso"),
    ("es", "info@acme.com", "info arroba acme punto com"),
    ("es", "Su código es 4821", "Su código es cuatro ocho dos uno"),
    ("fr_FR", "49,95 €", "quarante-neuf euros et quatre-vingt-quinze centimes"),
    ("fr", "1 234,56 €", "mille deux cent trente-quatre euros et cinquante-six centimes"),
    ("fr", "à 17h30, 8h, 1h", "à dix-sept heures trente, huit heures, une heure"),
    ("fr", "le 1er janvier 2026", "le premier janvier deux mille vingt-six"),
    ("fr", "Le 2e étage, la 1re fois", "Le deuxième étage, la première fois"),
    ("fr", "2,5 %", "deux virgule cinq pour cent"),
    (
        "fr",
        "01 23 45 67 89",
        "zéro un, vingt-trois, quarante-cinq, soixante-sept, quatre-vingt-neuf",
    ),
    ("fr_BE", "95", "nonante-cinq"),
    ("de_DE", "1.234,56 €", "eintausendzweihundertvierunddreißig Euro und sechsundfünfzig Cent"),
    ("de", "um 17:45 Uhr", "um siebzehn Uhr fünfundvierzig"),
    ("de", "am 30.11.2026", "am dreißigsten November zweitausendsechsundzwanzig"),
    ("de", "der 1. Mai", "der erste Mai"),
    ("de", "2,5 %, 3-5 Tage", "zwei Komma fünf Prozent, drei bis fünf Tage"),
    ("de", "z. B. Dr. Müller", "zum Beispiel Doktor Müller"),
    ("it_IT", "49,95 €", "quarantanove euro e novantacinque centesimi"),
    ("it", "alle 17:45", "alle diciassette e quarantacinque"),
    ("it", "5%, 1º, 2ª", "cinque per cento, primo, seconda"),
    ("pt_BR", "R$ 49,95", "quarenta e nove reais e noventa e cinco centavos"),
    ("pt_PT", "às 8:00", "às oito horas"),
    ("pt", "5%, 1º", "cinco por cento, primeiro"),
]


@pytest.mark.parametrize(("text", "said"), ENGLISH)
def test_english_is_said_as_people_say_it(text: str, said: str) -> None:
    assert spoken(text) == said


@pytest.mark.parametrize(("locale", "text", "said"), ELSEWHERE)
def test_each_locale_says_it_in_its_own_words(locale: str, text: str, said: str) -> None:
    assert spoken(text, locale) == said


@pytest.mark.parametrize(("text", "said"), ENGLISH)
def test_what_is_said_stays_as_it_is(text: str, said: str) -> None:
    assert spoken(said) == said


@pytest.mark.parametrize(
    "prose",
    [
        "I'd be happy to help you with that, of course.",
        "It's a well-known fact: state-of-the-art e-mail, don't you think?",
        '"Hello," she said; then she left. Wait! Is it mine?',
        "Would you like anything else today?",
    ],
)
def test_plain_prose_is_left_alone(prose: str) -> None:
    assert spoken(prose) == prose


def test_an_unknown_locale_is_named_and_the_known_ones_listed() -> None:
    with pytest.raises(UserError, match=r"unknown locale 'tlh_KX'.*en_US.*fr_FR"):
        spoken("hello", "tlh_KX")


_FRAGMENTS = st.sampled_from(
    [
        "$", "€", "1", "23", "4,567", "0", ".", ",", "-", "–", "/", ":", " ", "am", "p.m.", "%",
        "#", "'", '"', "(", ")", "No. ", "st", "km", "x", "+", "@", "a.b", "Nov ", "½", "²", "\n",
        "*", "**", "[", "](", "|", "&", "&amp;", "=", "🎉", "Dr. ", "k", "°", "v", "www.",
        "http://", "USD", "code ", "room ", "call ", "\ud800", "\0", "9" * 50,
    ]
)  # fmt: skip
_ASCII = st.text(alphabet=string.printable, max_size=60)
_MESSY = st.lists(_FRAGMENTS, max_size=14).map("".join)


@settings(max_examples=400, deadline=None)
@given(text=_ASCII | _MESSY, locale=st.sampled_from(["en_US", "en_GB", "en_IN"]))
def test_no_digit_is_left_in_english(text: str, locale: str) -> None:
    assert not re.search(r"\d", spoken(text, locale))


@settings(max_examples=300, deadline=None)
@given(
    text=st.text(max_size=60) | _MESSY,
    locale=st.sampled_from(["en_US", "es_ES", "fr_FR", "fr_CH", "de_DE", "it_IT", "pt_BR"]),
)
def test_any_text_can_be_spoken(text: str, locale: str) -> None:
    said = spoken(text, locale)
    assert "\n" not in said
    said.encode("utf-8")  # what cannot be encoded cannot be handed on


_WORD = st.text(alphabet=string.ascii_lowercase, min_size=3, max_size=9)


@settings(max_examples=200, deadline=None)
@given(words=st.lists(_WORD, min_size=1, max_size=12), mark=st.sampled_from([".", "!", "?", ""]))
def test_no_word_is_dropped_or_changed(words: list[str], mark: str) -> None:
    sentence = " ".join(words).capitalize() + mark
    assert spoken(sentence) == sentence


@settings(max_examples=200, deadline=None)
@given(
    before=st.lists(_WORD, max_size=4),
    case=st.sampled_from([c for c in MONEY + CODES + PHONES if c[0][-1] not in ".,"]),
)
def test_marks_around_a_form_survive(before: list[str], case: tuple[str, str]) -> None:
    said = spoken(f"{' '.join(before)}, {case[0]}, indeed." if before else f"{case[0]}, indeed.")
    assert said.endswith(", indeed.")


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("nine A M", "nine Eh M"),
        ("A B, one two", "Eh B, one two"),
        ("A two hour wait", "A two hour wait"),
        ("vitamin A is good. A pill", "vitamin Eh is good. A pill"),
    ],
)
def test_espeak_is_told_when_a_is_a_letter(text: str, heard: str) -> None:
    assert with_letters(text) == heard
