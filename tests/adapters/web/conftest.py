"""A browser, and the pages of a table that the test plays."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from selenium import webdriver
from support.browser import browser, shared_chromium

from hub.web.keys import hash_key, new_key
from hub.web.server import WebServer
from hub.web.settings import WebSettings

__all__ = ["browser", "shared_chromium"]
