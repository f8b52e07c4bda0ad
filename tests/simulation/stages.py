"""Where scripts of packets are played: at the model of a broker, or at a real mosquitto."""

import re
import socket
import time
from abc import ABC, abstractmethod
from pathlib import Path

from msgspec import Struct

from tests.simulation import mqtt_packets as mqtt
from tests.simulation.mqtt_broker import Broker
from tests.support.broker import OPEN, Mosquitto
from tests.support.hub import with_passwords

LOGIN = ("hub", "secret-of-the-broker")
END = "END"
ACL = ("topic readwrite open/#", "topic read shown/#", "topic write told/#")
MOST_BYTES, MOST_PACKET = 100, 1000
_GIVEN_ID, _AN_ID = re.compile(rb"auto-[0-9A-F-]{36}"), b"auto"
_PATIENCE_S = 10.0


class Setting(Struct, frozen=True):
    """How a broker is set."""

    login: bool = False
    acl: bool = False
    limits: bool = False


def may(_client: str, topic: str, reading: bool) -> bool:
    """:data:`ACL`, for the model."""
    return topic.split("/", 1)[0] in ("open", "shown" if reading else "told")


class Player(ABC):
    """A client that acknowledges only what the script tells it to."""

    def __init__(self, stage: "Stage") -> None:
        self._stage = stage
        self._rest = b""
        self.heard: list[str] = []

    def say(self, *packets: bytes, ends: bool = False) -> None:
        """Send packets at once. ``ends``: the broker hangs up."""
        self.write(b"".join(packets))
        if ends:
            self.listen(None)
        self._stage.settle()

    @property
    def over(self) -> bool:
        return END in self.heard

    def drop(self) -> None:
        """Close the connection without a DISCONNECT."""
        self.close()
        self.heard.append(END)
        self._stage.settle()

    def note(self, data: bytes) -> int:
        """Record what came from the broker; returns how many answers to PINGREQ were in it."""
        found, self._rest = mqtt.split(self._rest + data)
        said = [_GIVEN_ID.sub(_AN_ID, each) for each in found if each[0] >> 4 != mqtt.PINGRESP]
        self.heard += [mqtt.described(each) for each in said]
        return sum(each[0] >> 4 == mqtt.PINGRESP for each in found)

    @abstractmethod
    def write(self, data: bytes) -> None: ...

    @abstractmethod
    def listen(self, pings: int | None) -> None:
        """Record what comes until that many PINGRESP, or until the end."""

    @abstractmethod
    def close(self) -> None: ...


class Stage(ABC):
    v5: bool

    def __init__(self) -> None:
        self.players: list[Player] = []

    @abstractmethod
    def player(self) -> Player:
        """A new connection."""

    @abstractmethod
    def wait(self, seconds: float) -> None: ...

    @abstractmethod
    def stop(self) -> None:
        """Stop the broker as ``systemctl stop`` does, and hear what it says then."""

    def settle(self) -> None:
        """Wait until the broker has handled everything: it handles a client's packets in order.

        Goes round twice, because one client's packet may concern one that was asked before.
        """
        for each in 2 * [each for each in self.players if not each.over]:
            if not each.over:
                each.write(mqtt.PING)
                each.listen(1)

    def transcript(self) -> list[list[str]]:
        return [each.heard for each in self.players]


class ModelPlayer(Player):
    def __init__(self, stage: "ModelStage") -> None:
        super().__init__(stage)
        self.connection = stage.broker.accept(self.note, lambda: self.heard.append(END))
        self._said_end = False

    def write(self, data: bytes) -> None:
        self.connection.receive(data)

    def listen(self, pings: int | None) -> None:
        if pings is None:
            assert self.over, "the model does not hang up"

    def close(self) -> None:
        self.connection.lost()
        self.heard.remove(END)


class ModelStage(Stage):
    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self._now_s = 0.0
        self.broker = Broker(
            lambda: self._now_s,
            LOGIN if setting.login else None,
            may=may if setting.acl else None,
            says_taken_over=False,
        )
        if setting.limits:
            self.broker.most_bytes, self.broker.most_packet = MOST_BYTES, MOST_PACKET

    def player(self) -> Player:
        self.players.append(player := ModelPlayer(self))
        return player

    def wait(self, seconds: float) -> None:
        until_s = self._now_s + seconds
        while (due_s := self.broker.next_due()) <= until_s:
            self._now_s = due_s
            self.broker.tick()
        self._now_s = until_s

    def stop(self) -> None:
        self.broker.stop()


class RealPlayer(Player):
    def __init__(self, stage: "RealStage") -> None:
        super().__init__(stage)
        self._socket = socket.create_connection(("127.0.0.1", stage.port), _PATIENCE_S)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def write(self, data: bytes) -> None:
        try:
            self._socket.sendall(data)
        except ConnectionError:
            self.listen(None)

    def listen(self, pings: int | None) -> None:
        while not self.over and (pings is None or pings > 0):
            try:
                data = self._socket.recv(1 << 20)
            except ConnectionError:
                data = b""
            if not data:
                self.close()
                self.heard.append(END)
                return
            answered = self.note(data)
            pings = None if pings is None else pings - answered

    def close(self) -> None:
        self._socket.close()


class RealStage(Stage):
    def __init__(self, setting: Setting, folder: Path) -> None:
        super().__init__()
        lines = with_passwords(folder) if setting.login else list(OPEN)
        lines.append("set_tcp_nodelay true")
        if setting.acl:
            acl = folder / "acl"
            acl.write_text("\n".join((*ACL, "")), encoding="ascii")
            lines.append(f"acl_file {acl}")
        if setting.limits:
            lines += [f"message_size_limit {MOST_BYTES}", f"max_packet_size {MOST_PACKET}"]
        self._mosquitto = Mosquitto(folder, lines)
        self._mosquitto.start()
        self.port = self._mosquitto.port

    def player(self) -> Player:
        self.players.append(player := RealPlayer(self))
        return player

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)  # mosquitto's own clock runs

    def stop(self) -> None:
        self._mosquitto.stop()
        for player in self.players:
            player.listen(None)

    def close(self) -> None:
        for player in self.players:
            player.close()
        self._mosquitto.kill()
