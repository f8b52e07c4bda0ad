"""An independent implementation of Conflicts, small and slow, that shares no code with the hub.

It plays scripts whose values have the right types, and reports the place of the first fault.
"""

import re
from typing import Any

BEATEN = {
    "blades": ("paper", "serpent"),
    "stone": ("blades", "serpent"),
    "paper": ("stone",),
    "serpent": ("paper",),
}
ALL = range(4, 87)


class Bad(Exception):
    """A fault; its text is the place."""


def suit(n: int) -> str:
    if n < 27:
        return "excuse" if n == 4 else "triumph"
    return ("paper", "stone", "blades", "serpent")[(n - 27) // 15]


def wins(a: int, b: int) -> bool:
    if "excuse" in (suit(a), suit(b)):
        return False
    if suit(a) == "triumph":
        return suit(b) != "triumph" or a > b
    return suit(b) in BEATEN[suit(a)]


def covers(mine: list[int], theirs: list[int]) -> bool:
    return mine != [] and not [b for b in theirs if not [a for a in mine if wins(a, b)]]


def need(ok: object, place: str) -> None:
    if not ok:
        raise Bad(place)


def parse(text: Any, place: str) -> tuple[int, bool]:
    found = re.match(r"(\d+) (upright|reversed)\Z", text)
    need(found and str(int(found[1])) == found[1] and int(found[1]) in ALL, place)
    assert found
    return int(found[1]), found[2] == "reversed"


class Oracle:
    def __init__(self, script: dict[str, Any]) -> None:
        self.script = script
        self.out: list[Any] = []

    def run(self) -> tuple[list[Any], str]:
        try:
            self.start(self.script["parties"], 1, "parties")
            for n, round_ in enumerate(self.script["rounds"]):
                self.round(round_, n)
            last: dict[str, Any] = {"over": self.over}
            if self.over:
                left = self.left()
                last |= {
                    "winner": left[0] if left else None,
                    "reason": "last-standing" if left else "all-conceded",
                    **self.lasts(),
                }
            self.out.append(last)
        except Bad as bad:
            return self.out, str(bad)
        return self.out, ""

    def start(self, parties: dict[str, Any], number: int, at: str) -> None:
        old = getattr(self, "sheet", {})
        need(len(parties) > 1, at)
        self.names = list(parties)
        self.chars = {p: list(v.get("characters", {p: v})) for p, v in parties.items()}
        sheets = {c: s for p, v in parties.items() for c, s in v.get("characters", {p: v}).items()}
        self.side = {c: p for p in self.names for c in self.chars[p]}
        for p, v in parties.items():
            for c, s in v.get("characters", {"": v}).items():
                inner = f"{at}.{p}.characters.{c}" if c else f"{at}.{p}"
                for key in ("aspects", "weaknesses"):
                    texts = s.get(key, [])
                    for i, text in enumerate(texts):
                        need(text not in texts[:i], f"{inner}.{key}[{i}]")
        hands = {}
        for c, s in sheets.items():
            kept = self.hand[c] if c in old and "reserve" not in s else None
            hands[c] = list(s.get("reserve", ())) if kept is None else kept
        maxima = {
            c: s.get("reserve_max", self.most[c] if c in old else len(hands[c]))
            for c, s in sheets.items()
        }
        self.sheet, self.hand, self.most = sheets, hands, maxima
        total = {}
        for p in self.names:
            own = [sheets[c] for c in self.chars[p]]
            total[p] = max(s["attribute"]["value"] for s in own if "attribute" in s)
            for s in own:
                total[p] += len(s.get("aspects", ())) - len(s.get("weaknesses", ()))
        order = sorted(self.names, key=lambda p: -total[p])
        self.ranks = total[order[0]] - total[order[1]]
        self.top = order[0] if self.ranks else None
        self.temp: dict[str, list[int]] = {p: [] for p in self.names}
        self.last: dict[str, list[dict[str, Any]]] = {p: [] for p in self.names}
        self.gone: dict[str, str] = {}
        self.quit: set[str] = set()
        self.hits = dict.fromkeys(self.side, 0)
        self.away: set[int] = set()
        self.over = False
        self.number = number
        typical = sum(len(self.chars[p]) for p in self.names if not parties[p].get("gm"))
        self.out.append(
            {
                "conflict": number,
                "totals": total,
                "control": self.control(),
                "foregone": self.ranks >= 5,
                "typical_reserve": {p: typical for p in self.names if parties[p].get("gm")},
            }
        )

    def control(self) -> Any:
        return {"party": self.top, "ranks": self.ranks} if self.top else None

    def shift(self, by: int) -> None:
        self.ranks += by
        if self.ranks == 0:
            self.top = None

    def left(self) -> list[str]:
        return [p for p in self.names if p not in self.gone]

    def able(self, p: str) -> list[str]:
        return [c for c in self.chars[p] if c not in self.quit and p not in self.gone]

    def marks(self, p: str) -> list[int]:
        return self.temp[p] + [n for loss in self.last[p] for n in loss["cards"]]

    def away_now(self) -> set[int]:
        found = set(self.away)
        for p in self.left():
            found |= set(self.marks(p))
        for hand in self.hand.values():
            found |= {int(card.split()[0]) for card in hand}
        return found

    def take(self, text: Any, at: str) -> list[Any]:
        n, down = parse(text, at)
        need(n not in self.touched and n not in self.away_now(), at)
        self.touched.add(n)
        return [n, down]

    def round(self, r: dict[str, Any], n: int) -> None:
        at = f"rounds[{n}]"
        need(not self.over, at)
        balanced = self.top is None
        need(("bids" if balanced else "draw") not in r, at)
        key = "draw" if balanced else "bids"
        need(key in r, f"{at}.{key}")
        self.touched: set[int] = set()
        self.rows: dict[str, list[dict[str, Any]]] = {p: [] for p in self.left()}
        self.spent, self.had, self.dominant = 0, self.ranks, self.top
        self.outcome, self.by, self.wiped = "", [], []
        if balanced:
            self.breaker(r, at)
        else:
            self.bidding(r, at)
        won, lost, suffered = [], [], {}
        if not self.outcome:
            for key in ("losses", "concede", "refill"):
                need(key not in r, f"{at}.{key}")
            self.outcome = "reframed"
            told = []
        else:
            won, lost, suffered, told = self.ending(r, at)
        frame = "reframe" in r
        need(not (frame and self.over), f"{at}.reframe")
        found = {
            "round": n + 1,
            "kind": "balance-breaker" if balanced else "unbalanced",
            "dominant": self.dominant,
            "outcome": self.outcome,
            "by": self.by,
            "cards": {p: [self.text(c["card"]) for c in row] for p, row in self.rows.items()},
            "tokens": None if balanced else {"had": self.had, "spent": self.spent},
            "winners": won,
            "losers": lost,
            "wiped_out": [p for p in self.names if p in self.wiped],
            "losses": suffered,
            "narrate": told,
            "control": self.control(),
            "table": {
                p: {
                    "temporary": list(self.temp[p]),
                    "lasting": [
                        {
                            "cards": list(loss["cards"]),
                            "face_down": [c for c in loss["cards"] if c in loss["down"]],
                        }
                        for loss in self.last[p]
                    ],
                }
                for p in self.left()
            },
            "reserve": {c: list(self.hand[c]) for p in self.left() for c in self.able(p)},
            "out": {p: self.gone[p] for p in self.names if p in self.gone},
            "conceded": [c for c in self.side if c in self.quit],
        }
        if frame:
            found |= self.lasts()
            before = len(self.out)
            self.start(r["reframe"]["parties"], self.number + 1, f"{at}.reframe.parties")
            self.out.insert(before, found)
        else:
            self.out.append(found)

    def lasts(self) -> dict[str, Any]:
        keys = ("who", "gravity", "text")
        return {
            "carried": {
                p: [{k: loss[k] for k in keys} for loss in self.last[p]]
                for p in self.names
                if self.last[p]
            },
            "draw": {c: 1 + self.hits[c] for c in self.side if c in self.quit},
        }

    @staticmethod
    def text(card: list[Any]) -> str:
        return f"{card[0]} {'reversed' if card[1] else 'upright'}"

    def lay(self, p: str, text: Any, who: str | None, at: str, whose: str) -> None:
        card = self.take(text, at)
        able = self.able(p)
        need(who in able if who else len(able) == 1, whose)
        self.rows[p].append({"card": card, "who": who or able[0], "state": ""})

    def breaker(self, r: dict[str, Any], at: str) -> None:
        drawn = r["draw"]
        for p in drawn:
            need(p in self.rows, f"{at}.draw.{p}")
        for p in self.rows:
            need(p in drawn or "reframe" in r, f"{at}.draw.{p}")
        for p in self.rows:
            if p in drawn:
                one, place = drawn[p], f"{at}.draw.{p}"
                if isinstance(one, dict):
                    self.lay(p, one["card"], one.get("who"), f"{place}.card", f"{place}.who")
                else:
                    self.lay(p, one, None, place, f"{place}.who")
        for i, answer in enumerate(r.get("after", ())):
            place = f"{at}.after[{i}]"
            need(sum(k in answer for k in ("turn", "redraw", "reserve")) == 1, place)
            need(self.rows.get(answer["on"]), f"{place}.on")
            self.answer(answer, answer["on"], place)
        if len(drawn) < len(self.rows):
            return
        lying = {p: row[0]["card"][0] for p, row in self.rows.items()}
        self.outcome = "none"
        if 4 in lying.values():
            self.outcome = "excuse"
            return
        for p, a in lying.items():
            if all(wins(a, b) for q, b in lying.items() if q != p):
                self.outcome, self.by, self.top, self.ranks = "taken", [p], p, 1

    def answer(self, a: dict[str, Any], p: str, at: str) -> None:
        need(sum(k in a for k in ("turn", "redraw", "reserve")) == 1, at)
        top = self.rows[p][-1]
        if "turn" in a:
            need(self.dominant and a["by"] == self.dominant, f"{at}.by")
            need(self.spent < self.had and not top["state"], at)
            top["card"][1] = not top["card"][1]
            top["state"] = "turned"
            self.spent += 1
        elif "redraw" in a:
            parse(a["redraw"], f"{at}.redraw")
            need(a["by"] in self.left() and a["by"] != p, f"{at}.by")
            need(top["state"] != "reserve", at)
            up = self.temp[p] + [
                c for loss in self.last[p] for c in loss["cards"] if c not in loss["down"]
            ]
            need(up, at)
            used = a.get("loss", up[0])
            need(used in up, f"{at}.loss")
            top["card"], top["state"] = self.take(a["redraw"], f"{at}.redraw"), ""
            self.touched.add(used)
            if used in self.temp[p]:
                self.temp[p].remove(used)
            for loss in self.last[p]:
                if used in loss["cards"]:
                    loss["down"].append(used)
        else:
            n, down = parse(a["reserve"], f"{at}.reserve")
            by = a["by"]
            need(by in self.side and by in self.able(self.side[by]), f"{at}.by")
            need(a["reserve"] in self.hand[by], f"{at}.reserve")
            why, own = a["because"], self.side[by] == p
            who = [by] if own else self.chars[p]
            texts = [
                t for c in who for k in ("aspects", "weaknesses") for t in self.sheet[c].get(k, ())
            ]
            fits = why["loss"] in self.marks(p) if isinstance(why, dict) else why in texts
            need(fits, f"{at}.because")
            self.hand[by].remove(a["reserve"])
            self.touched.add(n)
            top["card"], top["state"] = [n, down], "reserve"
            if not own:
                self.away.add(n)
                self.hits[top["who"]] += 1

    def down(self, p: str) -> list[int]:
        return [c["card"][0] for c in self.rows[p] if c["card"][1]]

    def bidding(self, r: dict[str, Any], at: str) -> None:
        others = [p for p in self.rows if p != self.dominant]
        queue = list(r.get("order", others))
        need(sorted(queue) == sorted(others), f"{at}.order")
        queue.append(str(self.dominant))
        said: dict[str, str] = {}
        for i, word in enumerate(r["bids"]):
            place = f"{at}.bids[{i}]"
            need(not self.outcome and ("draw" in word) != ("pass" in word), place)
            p = word["party"]
            need(p == queue[0], f"{place}.party")
            queue.append(queue.pop(0))
            if "pass" in word:
                said[p] = "pass"
            else:
                said[p] = "draw"
                self.lay(p, word["draw"], word.get("who"), f"{place}.draw", f"{place}.who")
                for j, answer in enumerate(word.get("after", ())):
                    self.answer(answer, p, f"{place}.after[{j}]")
                excuse = self.rows[p][-1]["card"][0] == 4
                need(excuse == ("story" in word), f"{place}.story")
                if excuse:
                    who = self.rows[p].pop()["who"]
                    self.lay(p, word["story"], who, f"{place}.story", "")
                    self.outcome = "excuse"
                    self.shift(-1)
                    continue
                if len(self.down(p)) > 4:
                    self.wiped.append(p)
                    self.gone[p] = "wiped-out"
                    queue.remove(p)
                    if p == self.dominant:
                        self.outcome, self.top, self.ranks = "dominant-out", None, 0
                        continue
            if len(queue) == 1 or all(said.get(q) == "pass" for q in queue):
                lead = [c["card"][0] for c in self.rows[str(self.dominant)]]
                self.by = [
                    q for q in self.rows if q != self.dominant and covers(self.numbers(q), lead)
                ]
                self.outcome = "broken" if self.by else "held"
                self.shift(-1 if self.by else 1)
        need(self.outcome or "reframe" in r, f"{at}.bids")

    def numbers(self, p: str) -> list[int]:
        return [c["card"][0] for c in self.rows[p]]

    def ending(self, r: dict[str, Any], at: str) -> Any:
        stay = self.left()
        for p in r.get("losses", {}):
            need(p in stay and self.down(p), f"{at}.losses.{p}")
        suffered = {}
        for p in stay:
            down = self.down(p)
            if not down:
                continue
            told = r.get("losses", {}).get(p, {})
            count = 3 if len(down) > 2 else 1
            cards = told.get("cards", down[:count])
            fine = len(set(cards)) == len(cards) == count and set(cards) <= set(down)
            need(fine, f"{at}.losses.{p}.cards")
            gravity = min(5, len(self.last[p]) + 1) if count == 3 else None
            suffered[p] = {
                "kind": "lasting" if gravity else "temporary",
                "gravity": gravity,
                "who": self.rows[p][-1]["who"],
                "cards": list(cards),
                "text": told.get("text", ""),
            }
            if gravity:
                self.last[p].append(suffered[p] | {"down": []})
            else:
                self.temp[p] += cards
        won: list[str] = []
        lost: list[str] = []
        if self.outcome == "taken":
            won, lost = self.by, [p for p in stay if p not in self.by]
        elif self.outcome == "held":
            won, lost = [str(self.dominant)], [p for p in stay if p != self.dominant]
        elif self.outcome == "broken":
            best = [p for p in self.by if p in stay]
            lost = [str(self.dominant)]
            for p in best:
                rest = [q for q in best if q != p]
                if all(covers(self.numbers(p), self.numbers(q)) for q in rest):
                    won.append(p)
        rest = [p for p in stay if p not in won + lost]
        self.over = len(stay) == 1
        if "concede" in r:
            need(not self.over, f"{at}.concede")
            for i, name in enumerate(r["concede"]):
                go = self.able(name) if name in self.chars else [name]
                fine = go and all(c in self.side and c in self.able(self.side[c]) for c in go)
                need(fine, f"{at}.concede[{i}]")
                self.quit |= set(go)
                p = self.side[go[0]]
                if not self.able(p):
                    self.gone[p] = "conceded"
                    if p == self.top:
                        self.top, self.ranks = None, 0
            self.over = len(self.left()) < 2
        refill = r.get("refill", {})
        for who in sorted(refill, key=lambda c: [*self.side, c].index(c)):
            place = f"{at}.refill.{who}"
            n, _ = parse(refill[who], place)
            need(who in self.side, place)
            p = self.side[who]
            able, row = self.able(p), self.rows.get(p)
            need(p in won and able and who in able, place)
            need(who == (row[-1]["who"] if row else able[0]), place)
            need(len(self.hand[who]) < self.most[who] and n not in self.away_now(), place)
            self.hand[who].append(refill[who])
        return won, lost, suffered, [*won, *lost, *rest]
