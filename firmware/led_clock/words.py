"""The set-up page's texts, in the language that a phone asks for. Pure."""

ENGLISH = {
    "title": "Set up the clock",
    "save": "Save and start",
    "saved": "Saved",
    "starts": "The clock starts now and joins your Wi-Fi. Two lights that face each other and "
    "blink: it does not find the table yet. Hold its button while it starts to come back here.",
    "wifi": "Name of your Wi-Fi",
    "wifi_password": "Its password",
    "host": "Address of the table's broker",
    "port": "Port of the broker",
    "tls": "Encrypted connection to the broker (TLS)",
    "no": "no",
    "yes": "yes",
    "ca": "File on the clock by which it knows the broker (ca, in DER)",
    "username": "User name at the broker, if it wants one",
    "password": "Password at the broker",
    "kept": "is set; leave it empty to keep it",
    "none": "it has no password any more",
    "table": "Name of the table (in [table] of hub.toml)",
    "name": "Name of this clock",
    "shows": "What it shows: timer, countdown, seat or reveal",
    "of": "Which countdown (as in its topic), or which seat",
    "display": "Display: ws2812, tm1637 or ht16k33",
    "pin": "Pin of the lights; clock or SDA of digits",
    "pin2": "Second pin of digits: data or SCL",
    "lights": "How many lights",
    "brightness": "Brightness, 0 to 255",
    "ntp": "Time server, if it should ask one",
}
GERMAN = {
    "title": "Die Uhr einrichten",
    "save": "Speichern und starten",
    "saved": "Gespeichert",
    "starts": "Die Uhr startet jetzt und geht in dein WLAN. Zwei Lichter gegenüber, die blinken: "
    "Sie findet den Tisch noch nicht. Wer beim Start ihren Knopf hält, kommt hierher zurück.",
    "wifi": "Name deines WLANs",
    "wifi_password": "Sein Passwort",
    "host": "Adresse des Brokers am Tisch",
    "port": "Port des Brokers",
    "tls": "Verschlüsselte Verbindung zum Broker (TLS)",
    "no": "nein",
    "yes": "ja",
    "ca": "Datei auf der Uhr, an der sie den Broker erkennt (ca, in DER)",
    "username": "Benutzername beim Broker, falls er einen will",
    "password": "Passwort beim Broker",
    "kept": "ist gesetzt; leer lassen, um es zu behalten",
    "none": "es gibt kein Passwort mehr",
    "table": "Name des Tisches (in [table] der hub.toml)",
    "name": "Name dieser Uhr",
    "shows": "Was sie zeigt: timer, countdown, seat oder reveal",
    "of": "Welchen Countdown (wie in seinem Topic) oder welchen Platz",
    "display": "Anzeige: ws2812, tm1637 oder ht16k33",
    "pin": "Pin der Lichter; Takt oder SDA der Ziffern",
    "pin2": "Zweiter Pin der Ziffern: Daten oder SCL",
    "lights": "Wie viele Lichter",
    "brightness": "Helligkeit, 0 bis 255",
    "ntp": "Zeitserver, falls sie einen fragen soll",
    # Error messages, by their English form.
    "it must be one JSON object, as in clock.example.json": "es muss ein JSON-Objekt sein, wie in "
    "clock.example.json",
    "%s is unknown; see clock.example.json": "%s ist unbekannt; siehe clock.example.json",
    "%s must be a whole number from %d to %d": "%s muss eine ganze Zahl von %d bis %d sein",
    "%s must be one line of at most %d characters": "%s muss eine Zeile mit höchstens %d Zeichen "
    "sein",
    "tls must be true or false": "tls muss true oder false sein",
    "%s is missing": "%s fehlt",
    "%s must be one of: %s": "%s muss eins von diesen sein: %s",
    "%s must be of a to z, 0 to 9 and -, as in its topic": "%s darf nur aus a bis z, 0 bis 9 und - "
    "bestehen, wie im Topic",
    "of is missing; it names the seat": "of fehlt; es nennt den Platz",
    "password needs a username": "password braucht einen username",
    "pin and pin2 are the same pin; the display needs two": "pin und pin2 sind derselbe Pin; die "
    "Anzeige braucht zwei",
    "%s is not there": "%s ist nicht da",
    "%s is no text": "%s ist kein Text",
    "%s is longer than %d characters": "%s ist länger als %d Zeichen",
    "%s is no JSON; see clock.example.json": "%s ist kein JSON; siehe clock.example.json",
    "%s: %s": "%s: %s",
    "its button is held": "ihr Knopf wird gehalten",
    "the form could not be read": "das Formular war nicht zu lesen",
    "password was for another broker: type it again": "password war für einen anderen Broker: "
    "bitte neu eingeben",
}


def asked(languages: str) -> str:
    """``de`` or ``en``, the first that an Accept-Language header names; English by default."""
    for each in languages.lower().split(","):
        name = each.split(";")[0].strip()[:2]
        if name in ("de", "en"):
            return name
    return "en"


def told(wrong: object, language: str) -> str:
    """A :class:`led_clock.settings.Wrong` as a sentence."""
    values = []
    for each in wrong.values:
        values.append(told(each, language) if hasattr(each, "form") else each)
    form = GERMAN[wrong.form] if language == "de" else wrong.form
    return form % tuple(values)
