"""Extracts the names that models/ uses from the Python package Faker into sources/python-faker/<locale>.txt:

    pip download --no-deps Faker==40.40.0 && unzip faker-40.40.0-py3-none-any.whl -d unpacked
    python3 models/extract-python-faker.py unpacked
"""

import importlib
import pathlib
import sys

TAKEN = {
    "en_GB": {"person": ["first_names_female", "first_names_male", "last_names"]},
    "en_US": {"person": ["last_names"]},
    "es_ES": {"person": ["first_names_female", "first_names_male", "last_names"]},
    "fi_FI": {"person": ["first_names_female", "first_names_male", "last_names"], "address": ["cities"]},
    "fr_FR": {"person": ["first_names_female", "first_names_male", "last_names"]},
    "pl_PL": {
        "person": ["first_names_female", "first_names_male"],
        "address": ["streets_adjective_feminine", "streets_universal"],
    },
    "pt_BR": {"person": ["first_names_female", "first_names_male", "last_names"]},
    "sv_SE": {"person": ["first_names_female", "first_names_male", "last_names"]},
    "cs_CZ": {"person": ["first_names_female", "first_names_male"]},
}


def entries(values):
    """Returns each value once, with its weight if the package has weights."""
    if isinstance(values, dict):
        return [f"{value}={weight:.10f}".rstrip("0").rstrip(".") for value, weight in values.items()]
    return list(dict.fromkeys(values))


def wrapped(items):
    """Joins parts with commas into lines of at most 118 characters."""
    lines = [""]
    for item in items:
        joined = f"{lines[-1]}, {item}" if lines[-1] else item
        if len(joined) > 118:
            lines[-1] += ","
            lines.append(item)
        else:
            lines[-1] = joined
    return "\n".join(lines)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: extract-python-faker.py <unpacked wheel>")
    sys.path.insert(0, sys.argv[1])
    target = pathlib.Path(__file__).parent / "sources" / "python-faker"
    for locale, modules in TAKEN.items():
        text = f"# Faker 40.40.0 (PyPI), locale {locale}, by extract-python-faker.py.\n"
        for module, names in modules.items():
            provider = importlib.import_module(f"faker.providers.{module}.{locale}").Provider
            for name in names:
                text += f"\n[{name}]\n{wrapped(entries(getattr(provider, name)))}\n"
        (target / f"{locale}.txt").write_text(text, encoding="utf-8", newline="\n")


main()
