"""The types of requests and responses, for annotations.

    from understudy.types import SyncJob

A value at run time is a dictionary.
"""

from ._generated.types import *
from ._generated.types import __all__ as __all__
