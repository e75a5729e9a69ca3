"""English: the words around numbers."""

from __future__ import annotations

from voice.tts.text.language import Coin, Language, months_of, units_of

ENGLISH = Language(
    code="en",
    months=months_of(
        "January February March April May June July August September October November December"
    ),
    minus="minus",
    point="point",
    percent="percent",
    to="to",
    and_="and",
    plus="plus",
    times="times",
    by="by",
    equals="equals",
    at="at",
    dot="dot",
    dash="dash",
    underscore="underscore",
    slash="slash",
    number="number",
    degrees="degrees",
    per="per",
    coins={
        "USD": Coin(("dollar", "dollars"), ("cent", "cents")),
        "EUR": Coin(("euro", "euros"), ("cent", "cents")),
        "GBP": Coin(("pound", "pounds"), ("penny", "pence")),
        "JPY": Coin(("yen", "yen")),
        "CNY": Coin(("yuan", "yuan")),
        "INR": Coin(("rupee", "rupees"), ("paisa", "paise")),
        "KRW": Coin(("won", "won")),
        "CHF": Coin(("Swiss franc", "Swiss francs"), ("centime", "centimes")),
        "CAD": Coin(("Canadian dollar", "Canadian dollars"), ("cent", "cents")),
        "AUD": Coin(("Australian dollar", "Australian dollars"), ("cent", "cents")),
        "NZD": Coin(("New Zealand dollar", "New Zealand dollars"), ("cent", "cents")),
        "MXN": Coin(("Mexican peso", "Mexican pesos"), ("centavo", "centavos")),
        "BRL": Coin(("Brazilian real", "Brazilian reais"), ("centavo", "centavos")),
        "SEK": Coin(("Swedish krona", "Swedish kronor"), ("öre", "öre")),
        "NOK": Coin(("Norwegian krone", "Norwegian kroner"), ("øre", "øre")),
        "DKK": Coin(("Danish krone", "Danish kroner"), ("øre", "øre")),
        "PLN": Coin(("zloty", "zloty"), ("grosz", "groszy")),
    },
    coins_and="and",
    million_of="",
    scales={
        "k": (3, "thousand", "thousand"),
        "K": (3, "thousand", "thousand"),
        "m": (6, "million", "million"),
        "M": (6, "million", "million"),
        "mn": (6, "million", "million"),
        "MM": (6, "million", "million"),
        "b": (9, "billion", "billion"),
        "B": (9, "billion", "billion"),
        "bn": (9, "billion", "billion"),
        "T": (12, "trillion", "trillion"),
        "tn": (12, "trillion", "trillion"),
        "thousand": (3, "thousand", "thousand"),
        "million": (6, "million", "million"),
        "billion": (9, "billion", "billion"),
        "trillion": (12, "trillion", "trillion"),
    },
    units=units_of(
        "km kilometer|kilometers; m meter|meters; cm centimeter|centimeters;"
        "mm millimeter|millimeters; mi mile|miles; ft foot|feet; yd yard|yards; yds yard|yards;"
        "kg kilogram|kilograms; kgs kilogram|kilograms; g gram|grams; mg milligram|milligrams;"
        "lb pound|pounds; lbs pound|pounds; oz ounce|ounces; l liter|liters; L liter|liters;"
        "ml milliliter|milliliters; mL milliliter|milliliters; cl centiliter|centiliters;"
        "gal gallon|gallons; qt quart|quarts; pt pint|pints; tbsp tablespoon|tablespoons;"
        "tsp teaspoon|teaspoons; fl~oz fluid ounce|fluid ounces;"
        "kB kilobyte|kilobytes; KB kilobyte|kilobytes; MB megabyte|megabytes;"
        "GB gigabyte|gigabytes; TB terabyte|terabytes; Gb gigabit|gigabits; Mb megabit|megabits;"
        "kbps kilobits per second; Mbps megabits per second; Gbps gigabits per second;"
        "Mbit/s megabits per second; MB/s megabytes per second; GB/s gigabytes per second;"
        "Hz hertz; kHz kilohertz; MHz megahertz; GHz gigahertz;"
        "W watt|watts; kW kilowatt|kilowatts; MW megawatt|megawatts;"
        "kWh kilowatt hour|kilowatt hours; Wh watt hour|watt hours; V volt|volts; mV millivolt|"
        "millivolts; mA milliamp|milliamps; mAh milliamp hour|milliamp hours; Ah amp hour|"
        "amp hours; kJ kilojoule|kilojoules; kcal kilocalorie|kilocalories; cal calorie|calories;"
        "mph miles per hour; mpg miles per gallon; km/h kilometer per hour|kilometers per hour;"
        "kph kilometer per hour|kilometers per hour; kmh kilometer per hour|kilometers per hour;"
        "m/s meter per second|meters per second; rpm R P M; fps frames per second; dB decibel|"
        "decibels; psi P S I; px pixel|pixels; MP megapixel|megapixels; dpi D P I;"
        "min minute|minutes; mins minute|minutes; hr hour|hours; hrs hour|hours; h hour|hours;"
        "s second|seconds; sec second|seconds; secs second|seconds; ms millisecond|milliseconds;"
        "wk week|weeks; wks week|weeks; yr year|years; yrs year|years; mo month|months;"
        "mos month|months;"
        "sq~ft square foot|square feet; sq~m square meter|square meters; sq~km square kilometer|"
        "square kilometers; sq~mi square mile|square miles; sq~cm square centimeter|square"
        " centimeters; cu~m cubic meter|cubic meters; cu~ft cubic foot|cubic feet; cu~cm cubic"
        " centimeter|cubic centimeters; ha hectare|hectares;"
        "°C degree Celsius|degrees Celsius; °F degree Fahrenheit|degrees Fahrenheit;"
        "° degree|degrees; ‰ per mille"
    ),
    cues=(
        r"order|tracking|reference|ref|confirmation|booking|reservation|ticket|case|account|acct"
        r"|member|membership|invoice|code|passcode|password|pin|otp|id|serial|sku|policy|claim"
        r"|customer|zip|postcode|flight|extension|ext|ending in|ending with|ends in|ends with"
        r"|ending|last four|last four digits|routing|license|licence|plate|part|shipment|parcel"
        r"|locker|badge|voucher|imei|isbn|vin|ssn|number|phone|mobile|cell|dial|po box|p o box"
        r"|p\.o\. box"
    ),
)
