"""The browser that end-to-end tests share."""

from tests.support.browser import browser, shared_chromium

__all__ = ["browser", "shared_chromium"]
