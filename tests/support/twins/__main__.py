"""``python -m tests.support.twins``: as many evenings of twin hubs as you have patience for."""

import argparse
import secrets
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tests.support.twins.plans import first_difference

A_POOL = 40
"""Evenings played by one pool of processes: aiohttp keeps every server's handlers in a cache, so
that its processes grow."""


def main() -> int:
    """Print the first difference of each plan; the exit status says whether any plan had one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plans", type=int, default=500, help="how many evenings")
    parser.add_argument("--first", type=int, default=None, help="the first one's number")
    asked = parser.parse_args()
    first = secrets.randbelow(10**9) if asked.first is None else asked.first
    wrong = 0
    numbers = range(first, first + asked.plans)
    # Not by `max_tasks_per_child`, with which CPython's executor may wait for ever.
    for some in (numbers[at : at + A_POOL] for at in range(0, len(numbers), A_POOL)):
        with ProcessPoolExecutor(mp_context=get_context("spawn")) as processes:
            for number, found in zip(some, processes.map(first_difference, some), strict=True):
                if found:
                    wrong += 1
                    print(f"evening {number}:\n{found}", flush=True)
    print(f"{asked.plans} evenings from {first} on: {wrong} with a difference")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
