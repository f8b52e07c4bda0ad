"""``python -m tests.support.twins``: as many evenings of twin hubs as you have patience for."""

import argparse
import secrets
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tests.support.twins.plans import first_difference

A_PROCESS = 20
"""Evenings played by one process: aiohttp keeps every server's handlers in a cache."""


def main() -> int:
    """Print the first difference of each plan; the exit status says whether any plan had one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plans", type=int, default=500, help="how many evenings")
    parser.add_argument("--first", type=int, default=None, help="the first one's number")
    asked = parser.parse_args()
    first = secrets.randbelow(10**9) if asked.first is None else asked.first
    wrong = 0
    numbers = range(first, first + asked.plans)
    with ProcessPoolExecutor(
        mp_context=get_context("spawn"), max_tasks_per_child=A_PROCESS
    ) as processes:
        for number, found in zip(numbers, processes.map(first_difference, numbers), strict=True):
            if found:
                wrong += 1
                print(f"evening {number}:\n{found}", flush=True)
    print(f"{asked.plans} evenings from {first} on: {wrong} with a difference")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
