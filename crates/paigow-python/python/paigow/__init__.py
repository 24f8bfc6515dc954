"""Pai gow poker: rules, exact odds, house ways and settlement.

Cards and hands are :class:`Card` and :class:`Hand`. Rules are :class:`RuleBook` and :class:`HouseWay`, built in or from
files, with changed values if wanted. The functions :func:`best`, :func:`odds`, :func:`strategy`, :func:`price`,
:func:`census`, :func:`settle`, :func:`simulate` and :func:`fair` answer questions. Counts are ``int``, odds are
``fractions.Fraction``, and money is cents as ``int``. A refusal is a :class:`PaigowError` that lists every fault.

Millions of hands are arrays of shape ``(n, 7)`` and type ``uint8``: each element is the index of a card
(:attr:`Card.index`). :meth:`HouseWay.set_hands`, :meth:`Ranking.strengths`, :func:`classes` and :meth:`Worths.values`
take and return them.

>>> import paigow
>>> paigow.odds("washington", "fortune", paytable="FPG-01").wagers[0].edge
Fraction(220226, 2752555)
"""

from importlib.metadata import version as _version

from ._answers import *
from ._arrays import *
from ._books import *
from ._cards import *
from ._errors import *
from ._questions import *
from ._ranking import *
from ._worths import *

__version__ = _version("paigow")
"""Version of the package, which is that of the program."""
