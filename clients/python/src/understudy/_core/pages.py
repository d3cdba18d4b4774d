"""Decides which page of a list is requested next."""

from __future__ import annotations

from typing import Any, Mapping


class Pages:
    """The pages of one list, from the first requested page to the last one."""

    def __init__(self, items: str, query: Mapping[str, Any]) -> None:
        self._items = items
        self._number = query.get("page") or 1
        self._seen = 0
        self.query = {**query, "page": self._number}
        self.has_more = True

    def read(self, page: Mapping[str, Any]) -> list[Any]:
        """Returns the items of a page, and prepares the query for the next one.

        The list ends after a page that is empty, that has fewer items than `per_page`, or
        that reaches `total`.
        """
        items: list[Any] = page[self._items]
        per_page, total = page.get("per_page"), page.get("total")
        if self._number > 1 and self._seen == 0 and isinstance(per_page, int):
            self._seen = (self._number - 1) * per_page
        self._seen += len(items)
        is_short = isinstance(per_page, int) and len(items) < per_page
        is_last = isinstance(total, int) and self._seen >= total
        self.has_more = bool(items) and not is_short and not is_last
        self._number += 1
        self.query["page"] = self._number
        return items
