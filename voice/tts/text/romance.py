"""Spanish, French, Italian and Portuguese: the words around numbers."""

from __future__ import annotations

from voice.tts.text.language import Coin, Language, months_of, units_of

SPANISH = Language(
    code="es",
    months=months_of(
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
    ),
    minus="menos",
    point="coma",
    percent="por ciento",
    to="a",
    and_="y",
    plus="más",
    times="por",
    by="por",
    equals="igual a",
    at="arroba",
    dot="punto",
    dash="guion",
    underscore="guion bajo",
    slash="barra",
    number="número",
    degrees="grados",
    per="por",
    coins={
        "USD": Coin(("dólar", "dólares"), ("centavo", "centavos")),
        "EUR": Coin(("euro", "euros"), ("céntimo", "céntimos")),
        "GBP": Coin(("libra", "libras"), ("penique", "peniques"), feminine=True),
        "MXN": Coin(("peso", "pesos"), ("centavo", "centavos")),
        "JPY": Coin(("yen", "yenes")),
        "CHF": Coin(("franco suizo", "francos suizos"), ("céntimo", "céntimos")),
    },
    coins_and="con",
    million_of="de",
    scales={
        "mil": (3, "mil", "mil"),
        "k": (3, "mil", "mil"),
        "M": (6, "millón", "millones"),
        "millón": (6, "millón", "millones"),
        "millones": (6, "millón", "millones"),
    },
    units=units_of(
        "km kilómetro|kilómetros; m metro|metros; cm centímetro|centímetros; mm milímetro|"
        "milímetros; kg kilo|kilos; g gramo|gramos; l litro|litros; ml mililitro|mililitros;"
        "km/h kilómetros por hora; MB megabyte|megabytes; GB gigabyte|gigabytes;"
        "min minuto|minutos; s segundo|segundos; °C grado Celsius|grados Celsius; ° grado|grados"
    ),
    cues=r"código|pin|pedido|referencia|reserva|cuenta|número|factura|cliente|postal|vuelo",
    abbreviations={
        "Sr": "señor",
        "Sra": "señora",
        "Srta": "señorita",
        "Dr": "doctor",
        "Dra": "doctora",
        "Ud": "usted",
        "Uds": "ustedes",
        "etc": "etcétera",
        "p. ej": "por ejemplo",
        "Avda": "avenida",
        "Av": "avenida",
        "núm": "número",
        "tel": "teléfono",
        "aprox": "aproximadamente",
    },
)

FRENCH = Language(
    code="fr",
    months=months_of(
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
    ),
    minus="moins",
    point="virgule",
    percent="pour cent",
    to="à",
    and_="et",
    plus="plus",
    times="fois",
    by="sur",
    equals="égale",
    at="arobase",
    dot="point",
    dash="tiret",
    underscore="tiret bas",
    slash="slash",
    number="numéro",
    degrees="degrés",
    per="par",
    coins={
        "USD": Coin(("dollar", "dollars"), ("cent", "cents")),
        "EUR": Coin(("euro", "euros"), ("centime", "centimes")),
        "GBP": Coin(("livre", "livres"), ("penny", "pence"), feminine=True),
        "CHF": Coin(("franc suisse", "francs suisses"), ("centime", "centimes")),
        "JPY": Coin(("yen", "yens")),
    },
    coins_and="et",
    million_of="de",
    scales={
        "k": (3, "mille", "mille"),
        "M": (6, "million", "millions"),
        "Md": (9, "milliard", "milliards"),
        "mille": (3, "mille", "mille"),
        "million": (6, "million", "millions"),
        "millions": (6, "million", "millions"),
        "milliard": (9, "milliard", "milliards"),
        "milliards": (9, "milliard", "milliards"),
    },
    units=units_of(
        "km kilomètre|kilomètres; m mètre|mètres; cm centimètre|centimètres; mm millimètre|"
        "millimètres; kg kilo|kilos; g gramme|grammes; l litre|litres; ml millilitre|millilitres;"
        "km/h kilomètres heure; Mo mégaoctet|mégaoctets; Go gigaoctet|gigaoctets; min minute|"
        "minutes; s seconde|secondes; °C degré Celsius|degrés Celsius; ° degré|degrés"
    ),
    cues=r"code|pin|commande|référence|réservation|compte|numéro|facture|client|postal|vol|dossier",
    abbreviations={
        "M": "monsieur",
        "MM": "messieurs",
        "Mme": "madame",
        "Mlle": "mademoiselle",
        "Dr": "docteur",
        "etc": "et cetera",
        "p. ex": "par exemple",
        "av": "avenue",
        "tél": "téléphone",
        "env": "environ",
    },
)

ITALIAN = Language(
    code="it",
    months=months_of(
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre"
        " dicembre"
    ),
    minus="meno",
    point="virgola",
    percent="per cento",
    to="a",
    and_="e",
    plus="più",
    times="per",
    by="per",
    equals="uguale",
    at="chiocciola",
    dot="punto",
    dash="trattino",
    underscore="trattino basso",
    slash="barra",
    number="numero",
    degrees="gradi",
    per="per",
    coins={
        "USD": Coin(("dollaro", "dollari"), ("centesimo", "centesimi")),
        "EUR": Coin(("euro", "euro"), ("centesimo", "centesimi")),
        "GBP": Coin(("sterlina", "sterline"), ("penny", "pence"), feminine=True),
        "CHF": Coin(("franco svizzero", "franchi svizzeri"), ("centesimo", "centesimi")),
        "JPY": Coin(("yen", "yen")),
    },
    coins_and="e",
    million_of="di",
    scales={
        "mila": (3, "mila", "mila"),
        "mln": (6, "milione", "milioni"),
        "M": (6, "milione", "milioni"),
        "milione": (6, "milione", "milioni"),
        "milioni": (6, "milione", "milioni"),
        "miliardi": (9, "miliardo", "miliardi"),
    },
    units=units_of(
        "km chilometro|chilometri; m metro|metri; cm centimetro|centimetri; mm millimetro|"
        "millimetri; kg chilo|chili; g grammo|grammi; l litro|litri; ml millilitro|millilitri;"
        "km/h chilometri orari; MB megabyte; GB gigabyte; min minuto|minuti; s secondo|secondi;"
        "°C grado Celsius|gradi Celsius; ° grado|gradi"
    ),
    cues=r"codice|pin|ordine|riferimento|prenotazione|conto|numero|fattura|cliente|cap|volo",
    abbreviations={
        "Sig": "signor",
        "Sig.ra": "signora",
        "Sig.na": "signorina",
        "Dott": "dottor",
        "Dott.ssa": "dottoressa",
        "ecc": "eccetera",
        "es": "esempio",
        "tel": "telefono",
    },
)

PORTUGUESE = Language(
    code="pt",
    months=months_of(
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"
    ),
    minus="menos",
    point="vírgula",
    percent="por cento",
    to="a",
    and_="e",
    plus="mais",
    times="vezes",
    by="por",
    equals="igual a",
    at="arroba",
    dot="ponto",
    dash="hífen",
    underscore="sublinhado",
    slash="barra",
    number="número",
    degrees="graus",
    per="por",
    coins={
        "BRL": Coin(("real", "reais"), ("centavo", "centavos")),
        "USD": Coin(("dólar", "dólares"), ("cêntimo", "cêntimos")),
        "EUR": Coin(("euro", "euros"), ("cêntimo", "cêntimos")),
        "GBP": Coin(("libra", "libras"), ("péni", "pence"), feminine=True),
        "JPY": Coin(("iene", "ienes")),
    },
    coins_and="e",
    million_of="de",
    scales={
        "mil": (3, "mil", "mil"),
        "mi": (6, "milhão", "milhões"),
        "M": (6, "milhão", "milhões"),
        "milhão": (6, "milhão", "milhões"),
        "milhões": (6, "milhão", "milhões"),
    },
    units=units_of(
        "km quilómetro|quilómetros; m metro|metros; cm centímetro|centímetros; mm milímetro|"
        "milímetros; kg quilo|quilos; g grama|gramas; l litro|litros; ml mililitro|mililitros;"
        "km/h quilómetros por hora; MB megabyte|megabytes; GB gigabyte|gigabytes;"
        "min minuto|minutos; s segundo|segundos; °C grau Celsius|graus Celsius; ° grau|graus"
    ),
    cues=r"código|pin|pedido|encomenda|referência|reserva|conta|número|fatura|cliente|postal|voo",
    abbreviations={
        "Sr": "senhor",
        "Sra": "senhora",
        "Dr": "doutor",
        "Dra": "doutora",
        "etc": "etcétera",
        "p. ex": "por exemplo",
        "Av": "avenida",
        "tel": "telefone",
        "aprox": "aproximadamente",
    },
)
