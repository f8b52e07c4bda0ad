"""The form of the set-up page: its content, and the settings made from its input. Pure.

A key missing from the form keeps its value, and so does a password whose field is empty, because
the page never shows a password. The page itself needs no password, so a stranger could have the
broker's password sent to another broker. Therefore that password is kept only while the broker
stays the same.
"""

from led_clock.settings import NUMBERS, TEXTS, Settings, Wrong
from led_clock.words import ENGLISH, GERMAN

MOST_BYTES = 2560
"""The size of a full form; one sign of a password may take three characters."""
_ASKED = (
    "wifi",
    "wifi_password",
    "host",
    "port",
    "tls",
    "ca",
    "username",
    "password",
    "table",
    "name",
    "shows",
    "of",
    "display",
    "pin",
    "pin2",
    "lights",
    "brightness",
    "ntp",
)
_SECRETS = ("wifi_password", "password")
_NONE = "no_"
"""The prefix in the name of a box to tick that removes a password."""
_BROKER = ("host", "port", "tls", "ca", "username")
_USUAL = {key: usual[0] for key, usual in list(NUMBERS.items()) + list(TEXTS.items())}
_USUAL["tls"] = False


def escaped(text: str) -> str:
    """Escape a text for HTML."""
    for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(sign, name)
    return text


def unquoted(text: str) -> str:
    """Decode a form's value. Raises ValueError if it cannot be decoded."""
    parts = text.replace("+", " ").encode().split(b"%")
    data = parts[0]
    for part in parts[1:]:
        data += bytes([int(part[:2], 16)]) + part[2:]
    return data.decode()


def typed_in(body: bytes) -> dict:
    """The input of a form: field → text. Raises :class:`Wrong`."""
    typed = {}
    try:
        for pair in body.decode().split("&"):
            key, _, value = pair.partition("=")
            key, value = unquoted(key), unquoted(value).strip()
            if key in _ASKED or key[len(_NONE) :] in _SECRETS:
                typed[key] = value
    except ValueError:
        raise Wrong("the form could not be read")
    return typed


class Draft:
    """The stored settings, and the last input from the form."""

    def __init__(self, stands: dict) -> None:
        self._stands, self._typed = stands, {}

    def settings(self, typed: dict) -> dict:
        """The settings with the form's input. Raises :class:`Wrong`; the input is then kept."""
        for secret in _SECRETS:
            if not typed.get(secret):
                typed[secret] = "" if typed.get(_NONE + secret) else self._typed.get(secret, "")
        self._typed = typed
        found = dict(self._stands)
        for key in _ASKED:
            if key in typed and key not in _SECRETS:
                found.pop(key, None)
                if typed[key]:
                    found[key] = _value(key, typed[key])
        for secret in _SECRETS:
            if typed[secret]:
                found[secret] = typed[secret]
            elif typed.get(_NONE + secret):
                found.pop(secret, None)
        Settings(found)
        if found.get("password") and not typed["password"]:
            for key in _BROKER:
                if self._of(found, key) != self._of(self._stands, key):
                    raise Wrong("password was for another broker: type it again")
        return found

    def _of(self, found: dict, key: str) -> object:
        return found.get(key, _USUAL[key])

    def page(self, wrong: str, language: str) -> str:
        """The page with the form, and with the message ``wrong`` if there is one."""
        words = GERMAN if language == "de" else ENGLISH
        rows = "".join([self._row(key, words) for key in _ASKED])
        alert = '<p role="alert">%s</p>' % escaped(wrong) if wrong else ""
        return (
            '<!doctype html><html lang="%s"><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width">'
            "<title>%s</title><style>body{font:18px/1.5 sans-serif;margin:1em auto;"
            "max-width:30em;padding:0 1em}label{display:block;margin:.8em 0}"
            "input,select{display:block;width:100%%;font:inherit;padding:.4em;"
            "box-sizing:border-box}[type=checkbox]{display:inline;width:auto;margin-right:.5em}"
            "button{font:inherit;padding:.6em 2em}[role=alert]{background:#a00;color:#fff;"
            'padding:.6em}</style><h1>%s</h1>%s<form method="post" action="/">%s'
            "<button>%s</button></form></html>"
        ) % (language, words["title"], words["title"], alert, rows, words["save"])

    def _row(self, key: str, words: dict) -> str:
        typed = self._typed.get(key)
        if key in _SECRETS:
            return self._secret(key, words)
        value = str(self._of(self._stands, key)) if typed is None else typed
        if key == "tls":
            on = value in ("True", "1")
            return (
                '<label>%s<select name="tls"><option value="0"%s>%s</option>'
                '<option value="1"%s>%s</option></select></label>'
            ) % (words[key], _chosen(not on), words["no"], _chosen(on), words["yes"])
        kind = "number" if key in NUMBERS else "text"
        return '<label>%s<input name="%s" type="%s" value="%s"></label>' % (
            words[key],
            key,
            kind,
            escaped(value),
        )

    def _secret(self, key: str, words: dict) -> str:
        row = '<label>%s<input name="%s" type="password" value="" placeholder="%s"></label>'
        is_set = self._typed.get(key) or self._stands.get(key)
        row %= words[key], key, words["kept"] if is_set else ""
        if is_set:
            ticked = " checked" if self._typed.get(_NONE + key) else ""
            row += '<label><input name="%s%s" type="checkbox" value="1"%s>%s</label>' % (
                _NONE,
                key,
                ticked,
                words["none"],
            )
        return row


def _chosen(on: bool) -> str:
    return " selected" if on else ""


def _value(key: str, text: str) -> object:
    """A field's value as a setting; an invalid number stays a text, which the settings refuse."""
    if key == "tls":
        return text == "1"
    if key in NUMBERS:
        try:
            return int(text)
        except ValueError:
            pass
    return text
