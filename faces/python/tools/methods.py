"""Writes ``python/lookalike/methods.py`` from what the native module says of the methods.

``python tools/methods.py`` prints it; a test compares it with the file.
"""

from __future__ import annotations

import json
import keyword

from lookalike import _native

HEAD = '''"""The methods and their settings. Made by ``tools/methods.py`` from the program's own list."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar

__all__ = [
    {names},
]


class Method:
    """A method with its settings. What is ``None`` is left to the method."""

    name: ClassVar[str]
    """The method's name."""
    _words: ClassVar[dict[str, str]]

    def settings(self) -> dict[str, str]:
        """The settings that were given, as the command line writes them."""
        given = ((self._words[field.name], getattr(self, field.name)) for field in fields(self))  # type: ignore[arg-type]
        return {{word: _text(value) for word, value in given if value is not None}}


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
'''


def class_name(name: str) -> str:
    return {"privbayes": "PrivBayes", "privbayes-nist": "PrivBayesNist", "privmrf": "PrivMrf"}.get(
        name, "".join(part.capitalize() for part in name.split("-"))
    )


def field_name(name: str) -> str:
    plain = name.replace("-", "_")
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def kind(default: str) -> str:
    if default in ("true", "false"):
        return "bool | None"
    try:
        float(default)
    except ValueError:
        return "str | float | None"
    return "float | None"


def method(found: dict) -> str:
    lines = ["", "", "@dataclass(frozen=True, kw_only=True)", f"class {class_name(found['name'])}(Method):"]
    summary = found["summary"][0].upper() + found["summary"][1:].rstrip(".")
    lines += [f'    """{summary}."""', "", f'    name: ClassVar[str] = "{found["name"]}"']
    words = {field_name(it["name"]): it["name"] for it in found["parameters"]}
    lines.append("    _words: ClassVar[dict[str, str]] = {")
    lines += [f'        "{field}": "{word}",' for field, word in words.items()]
    lines.append("    }")
    for it in found["parameters"]:
        text = it["help"].replace("\\", "\\\\").replace('"', "'").rstrip(".")
        lines.append(f"    {field_name(it['name'])}: {kind(it['default'])} = None")
        lines.append(f'    """{text}; left out: {it["default"]}."""')
    return "\n".join(lines)


def text() -> str:
    found = json.loads(_native.methods())
    names = sorted(["Method", *(class_name(it["name"]) for it in found)])
    return HEAD.format(names=",\n    ".join(f'"{name}"' for name in names)) + "\n".join(method(it) for it in found).rstrip() + "\n"


if __name__ == "__main__":
    print(text(), end="")
