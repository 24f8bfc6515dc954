"""Answers from JSON: every dataclass of ``_answers`` is built from the keys of its fields."""

from __future__ import annotations

import dataclasses
import types
import typing
from fractions import Fraction
from typing import Any, TypeVar

from ._cards import Hand

T = TypeVar("T")


_FIELDS: dict[type, tuple[tuple[str, str, Any], ...]] = {}


def _fields(cls: type) -> tuple[tuple[str, str, Any], ...]:
    """Returns name, key and type of every field. Reading the types takes long, so they are kept."""
    if cls not in _FIELDS:
        hints = typing.get_type_hints(cls)
        fields = dataclasses.fields(cls)
        _FIELDS[cls] = tuple((one.name, one.metadata.get("key", one.name), hints[one.name]) for one in fields)
    return _FIELDS[cls]


def build(cls: type[T], data: dict[str, Any]) -> T:
    """Builds an answer. A key ``NAME_exact`` has the exact value of ``NAME`` and is preferred.

    Every key must belong to a field, so that no part of an answer is lost silently.
    """
    values = {}
    used = set(getattr(cls, "_DERIVED", ()))
    for name, key, hint in _fields(cls):
        exact = f"{key}_exact"
        used |= {key, exact}
        # A key that is left out is `None`, or the default of the field.
        if hint is not bool or key in data:
            values[name] = _convert(hint, data.get(exact, data.get(key)))
    if unknown := data.keys() - used:
        raise TypeError(f"{cls.__name__} has no fields for {sorted(unknown)}")
    return cls(**values)


def _convert(hint: Any, value: Any) -> Any:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is types.UnionType:
        return None if value is None else _convert(next(arg for arg in args if arg is not types.NoneType), value)
    if origin is tuple:
        return tuple(_convert(args[0], item) for item in value)
    if origin is dict:
        return {_convert(args[0], key): _convert(args[1], item) for key, item in value.items()}
    if dataclasses.is_dataclass(hint):
        return build(typing.cast(type, hint), value)
    if hint is Fraction:
        return Fraction(value)
    if hint is Hand:
        return Hand(value, size=len(value.split()))
    if hint is int:
        return int(value)
    if hint is Any or isinstance(value, hint):
        return value
    raise TypeError(f"expected {hint}, found {value!r}")
