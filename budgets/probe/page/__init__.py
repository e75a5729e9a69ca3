"""The report as one page: no network, no framework, its audio inside it."""

from __future__ import annotations

from budgets.probe.page.document import render_page, write_page

__all__ = ["render_page", "write_page"]
