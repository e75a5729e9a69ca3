"""Finds what a target names as ``module:function``, in the user's own code."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from budgets.errors import UserError


def import_callable(name: str, *, wanted: str) -> Callable[..., Any]:
    """The function ``module:function``; modules of the current folder are found as well.

    Raises UserError that names ``wanted``, for what is not there and for a module that fails.
    """
    module_name, _, attribute = name.partition(":")
    if not module_name or not attribute:
        raise UserError(f"'{name}' must be module:function, {wanted}")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as fault:
        missing = fault.name or module_name
        if module_name == missing or module_name.startswith(missing + "."):
            message = f"no module '{module_name}'; run this in its folder, or install it"
        else:
            message = f"the module '{module_name}' needs '{missing}', which is not installed"
        raise UserError(message) from fault
    except Exception as fault:  # the user's code, with whatever is wrong with it
        raise UserError(
            f"the module '{module_name}' cannot be imported: {type(fault).__name__}: {fault}"
        ) from fault
    found = getattr(module, attribute, None)
    if not callable(found):
        raise UserError(f"the module '{module_name}' has no function '{attribute}', {wanted}")
    return found  # type: ignore[no-any-return]


async def call_either(function: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a function that may be a coroutine function."""
    result = function(*arguments)
    return await result if inspect.isawaitable(result) else result
