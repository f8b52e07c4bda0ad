"""The model of a broker answers as a real mosquitto does, packet by packet."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.simulation import mqtt_packets as mqtt
from tests.simulation.mqtt_broker import Broker
from tests.simulation.stages import LOGIN, ModelStage, Player, RealStage, Setting, Stage

Script = Callable[[Stage], None]
SCRIPTS: dict[str, tuple[Setting, Script]] = {}
CORRELATION = mqtt.string(mqtt.CORRELATION, b"\0\1id")
ANSWER_TO = mqtt.string(mqtt.RESPONSE_TOPIC, "answers/here")
WILL = ("t/will", b"gone", 1, False)
KEEP_ALIVE_CHECK_S = 6.5
"""mosquitto 2.0.11 looks for silent clients every 5 s only."""


def script(setting: Setting = Setting()) -> Callable[[Script], Script]:  # noqa: B008
    def note(play: Script) -> Script:
        SCRIPTS[play.__name__] = setting, play
        return play

    return note


def enter(
    stage: Stage, name: str, *filters: tuple[str, int], v5: bool | None = None, **how: object
) -> Player:
    """A client that connects, and subscribes if there is something to."""
    v5 = stage.v5 if v5 is None else v5
    player = stage.player()
    player.say(mqtt.connect(name, v5=v5, **how))  # type: ignore[arg-type]
    if filters:
        player.say(mqtt.subscribe(*filters, v5=v5, mid=0x101))
    return player


def publishes(stage: Stage) -> Callable[..., bytes]:
    return partial(mqtt.publish, v5=stage.v5)


@script()
def connects_and_leaves(stage: Stage) -> None:
    enter(stage, "a").say(mqtt.disconnect(), ends=True)
    enter(stage, "", keepalive=0, login=("any", "body")).drop()


@script(Setting(login=True))
def login_is_checked(stage: Stage) -> None:
    for login in ((LOGIN[0], "wrong"), ("nobody", LOGIN[1]), None):
        stage.player().say(mqtt.connect("a", v5=stage.v5, login=login, will=WILL), ends=True)
    enter(stage, "a", login=LOGIN)


@script()
def other_version_is_refused(stage: Stage) -> None:
    stage.player().say(mqtt.packet(0x10, mqtt.text("MQTT") + b"\7\2\0\0\0\0"), ends=True)
    stage.player().say(mqtt.packet(0x10, mqtt.text("HTTP") + b"\4\2\0\0\0\0"), ends=True)
    stage.player().say(mqtt.PING, ends=True)


@script()
def each_qos_is_acknowledged(stage: Stage) -> None:
    publish, a = publishes(stage), enter(stage, "a")
    b = enter(stage, "b", ("t/0", 0), ("t/1", 1), ("t/2", 2))
    for wanted in range(3):
        for qos in range(3):
            mid = 10 * wanted + qos + 1
            a.say(publish(f"t/{wanted}", b"%d" % mid, qos=qos, mid=mid))
            if qos == 2:
                a.say(mqtt.answer(mqtt.PUBREL, mid))
    b.say(*(mqtt.answer(mqtt.PUBACK, mid) for mid in (1, 2, 3)))
    b.say(mqtt.answer(mqtt.PUBREC, 4), mqtt.answer(mqtt.PUBCOMP, 4))
    b.say(mqtt.answer(mqtt.PUBACK, 77), mqtt.answer(mqtt.PUBREC, 78), mqtt.answer(mqtt.PUBREL, 79))


@script()
def a_client_hears_itself(stage: Stage) -> None:
    a = enter(stage, "a", ("t/#", 1))
    a.say(*(publishes(stage)("t/1", b"x", qos=1, mid=mid) for mid in (5, 6)))
    a.say(publishes(stage)("t/2", b"x", qos=2, mid=7), mqtt.answer(mqtt.PUBREL, 7))


@script()
def duplicates_are_delivered_once_with_qos_2(stage: Stage) -> None:
    publish, a = publishes(stage), enter(stage, "a")
    enter(stage, "b", ("t", 1))
    for qos in (1, 2):
        a.say(publish("t", b"x", qos=qos, mid=3))
        a.say(publish("t", b"x", qos=qos, mid=3, dup=True))
    for _ in range(2):
        a.say(mqtt.answer(mqtt.PUBREL, 3))
    a.say(publish("t", b"x", qos=2, mid=4), publish("t", b"y", qos=2, mid=4))
    a.say(mqtt.answer(mqtt.PUBREL, 4))


@script()
def bytes_arrive_in_any_pieces(stage: Stage) -> None:
    player = stage.player()
    said = mqtt.connect("a", v5=stage.v5) + mqtt.subscribe(("t", 1), v5=stage.v5)
    said += publishes(stage)("t", b"x" * 300, qos=1)
    for byte in said[:-1]:
        player.write(bytes((byte,)))
    player.say(said[-1:])


@script()
def retained_messages_are_kept(stage: Stage) -> None:
    publish, a = publishes(stage), enter(stage, "a")
    enter(stage, "live", ("#", 1))
    topics = ("r/b/1", "r/a", "s", "r", "r/b", "r/a/2", "r/b/1")
    for mid, topic in enumerate(topics, 1):
        a.say(publish(topic, b"%d" % mid, qos=mid % 2, mid=mid, retain=True))
    a.say(publish("s", b"", retain=True), publish("none", b"", retain=True))
    a.say(publish("r/b", b"not kept"), publish("$own/x", b"hidden", retain=True))
    for wanted in ("#", "r/#", "+", "r/+", "r/+/#", "+/b/+", "r/b/1", "+/#", "$own/#", "none"):
        enter(stage, f"of {wanted}", (wanted, 1))
    enter(stage, "at 0", ("r/#", 0), ("r", 1))


@script()
def retained_messages_come_as_asked(stage: Stage) -> None:
    publish, a = publishes(stage), enter(stage, "a")
    a.say(publish("r", b"kept", qos=1, retain=True))
    b = enter(stage, "b", ("r", 1))
    b.say(mqtt.subscribe(("r", 1), v5=stage.v5, mid=2))
    if stage.v5:
        b.say(mqtt.subscribe(("r", 1 | 0x10), v5=True, mid=3))  # only if new
        c = enter(stage, "c", ("r", 1 | 0x10))
        c.say(mqtt.subscribe(("r", 1 | 0x20), v5=True, mid=2))  # never
        d = enter(stage, "d", ("r", 1 | 0x28))  # as published
        e = enter(stage, "e", ("r", 1 | 0x04))  # not its own
        e.say(publish("r", b"new", qos=1, retain=True))
        d.say(publish("r", b"newer", qos=1))


@script()
def filters_match_as_they_should(stage: Stage) -> None:
    publish, a = publishes(stage), enter(stage, "a")
    wanted = ("#", "+/b", "a/+", "a/#", "a/b", "a/b/#", "a//c", "+", "+/+/+", "/#", "a/b/c")
    for each in wanted:
        enter(stage, f"of {each}", (each, 1))
    for topic in ("a", "a/b", "a/b/c", "b/b", "a//c", "/", "/x", "x", "$a/b", "a/b/c/d"):
        a.say(publish(topic, topic.encode(), qos=1))


@script()
def overlapping_filters(stage: Stage) -> None:
    publish, a = publishes(stage), enter(stage, "a")
    enter(stage, "b", ("#", 2), ("t/+", 1), ("t/a", 0))
    enter(stage, "c", ("t/#", 0), ("+/a", 2), ("t/a/#", 1), ("t/a", 2))
    a.say(publish("t/a", b"x", qos=2, mid=3), mqtt.answer(mqtt.PUBREL, 3))
    a.say(publish("u", b"x", qos=1))


@script()
def unsubscribing(stage: Stage) -> None:
    publish, a = publishes(stage), enter(stage, "a", ("t/1", 1), ("t/2", 1))
    a.say(mqtt.unsubscribe("t/1", "none", v5=stage.v5, mid=9))
    a.say(publish("t/1", b"x", qos=1), publish("t/2", b"x", qos=1, mid=2))
    a.say(mqtt.subscribe(("t/2", 0), v5=stage.v5), publish("t/2", b"y", qos=1, mid=3))


@script()
def will_is_published_at_a_loss(stage: Stage) -> None:
    listener = enter(stage, "listener", ("t/#", 1))
    enter(stage, "a", will=WILL).drop()
    enter(stage, "b", will=WILL).say(mqtt.disconnect(), ends=True)
    enter(stage, "c", will=("t/kept", b"c", 0, True)).say(b"\0\0", ends=True)
    for reason in (0x00, 0x04, 0x81):
        enter(stage, f"d{reason}", will=WILL).say(mqtt.disconnect(reason), ends=True)
    listener.say(mqtt.subscribe(("t/kept", 1), v5=stage.v5, mid=7))


@script()
def second_client_takes_over(stage: Stage) -> None:
    enter(stage, "listener", ("t/#", 1))
    enter(stage, "a", ("t/x", 1), will=WILL)
    a = enter(stage, "a", will=("t/will", b"of the second", 1, False))
    a.say(publishes(stage)("t/x", b"x", qos=1))
    a.say(mqtt.connect("a", v5=stage.v5), ends=True)


@script(Setting(limits=True))
def too_large(stage: Stage) -> None:
    publish, a = publishes(stage), enter(stage, "a", ("t", 1), will=("t", b"gone", 0, False))
    enter(stage, "b", ("t", 1))
    for qos in range(3):
        a.say(publish("t", b"x" * 100, qos=qos, mid=qos + 1))
        a.say(publish("t", b"x" * 101, qos=qos, mid=qos + 11))
    a.say(mqtt.answer(mqtt.PUBREL, 3), mqtt.answer(mqtt.PUBREL, 13))
    fits = 999 - len("..t..") - stage.v5
    a.say(publish("t", b"x" * fits, qos=1, mid=19))
    a.say(publish("t", b"x" * (fits + 1), qos=1, mid=20), ends=True)


@script(Setting(acl=True))
def access_rights(stage: Stage) -> None:
    publish, a = publishes(stage), enter(stage, "a", ("#", 1), will=("shown/will", b"x", 0, True))
    for mid, topic in enumerate(("open/x", "shown/x", "told/x", "no/x"), 1):
        for qos in range(3):
            a.say(publish(topic, b"x", qos=qos, mid=mid + 10 * qos, retain=True))
        a.say(mqtt.answer(mqtt.PUBREL, mid + 20))
    enter(stage, "b", ("no/#", 1), ("told/x", 1), ("open/#", 0), ("shown/#", 1))
    a.drop()


@script()
def most_unacknowledged(stage: Stage) -> None:
    publish, a = publishes(stage), enter(stage, "a")
    b = enter(stage, "b", ("t", 1))
    few = enter(stage, "few", ("t", 1), about=[mqtt.number(mqtt.RECEIVE_MAXIMUM, 3)])
    for mid in range(1, 35):
        a.say(publish("t", b"%d" % mid, qos=mid % 8 > 0, mid=mid))
    b.say(mqtt.answer(mqtt.PUBACK, 2), mqtt.answer(mqtt.PUBACK, 1), mqtt.answer(mqtt.PUBACK, 99))
    for mid in (3, 1, 2, 77, 4, 5, 6, 7):
        few.say(mqtt.answer(mqtt.PUBACK, mid))
    a.say(*(publish("t", b"%d" % mid, qos=1, mid=mid) for mid in range(40, 46)))
    few.say(*(mqtt.answer(mqtt.PUBACK, mid) for mid in (77, 78, 79)))
    a.say(*(publish("t", b"%d" % mid, qos=1, mid=mid) for mid in range(50, 54)))


@script()
def breaches_end_a_connection(stage: Stage) -> None:
    publish = publishes(stage)
    breaches = (
        *(publish("a/#", b"", qos=1), publish("", b""), publish("a", b"", qos=3)),
        *(publish("a", b"", qos=1, mid=0), mqtt.subscribe(("a/#/b", 1), v5=stage.v5)),
        *(mqtt.subscribe(v5=stage.v5), mqtt.subscribe(("a", 3), v5=stage.v5), b"\xf0\0", b"\0\0"),
        *(b"\x80\0", b"\x60\2\0\1", b"\x30\1\0", b"\x30\xff\xff\xff\xff\1", b"\x20\2\0\0"),
        *(mqtt.unsubscribe(v5=stage.v5), b"\x40\0", b"\x30\4\0\2\xff\xff"),
    )
    for breach in breaches:
        enter(stage, "a").say(breach, ends=True)


@script()
def properties_are_passed_on(stage: Stage) -> None:
    publish, a = publishes(stage), enter(stage, "a")
    enter(stage, "b", ("t", 1))
    expiry = mqtt.number(mqtt.MESSAGE_EXPIRY, 100)
    user = 0x26, mqtt.text("name") + mqtt.text("value")
    about = [CORRELATION, expiry, ANSWER_TO, user, (0x01, b"\1"), mqtt.string(0x03, "text/plain")]
    a.say(publish("t", b"x", qos=1, retain=True, about=about))
    if stage.v5:
        alias = mqtt.number(mqtt.ALIAS, 3)
        a.say(publish("t", b"y", about=[alias]), publish("", b"z", about=[alias, user]))
        a.say(publish("", b"z", about=[mqtt.number(mqtt.ALIAS, 4)]), ends=True)
        enter(stage, "a").say(publish("t", b"z", about=[mqtt.number(mqtt.ALIAS, 11)]), ends=True)
        enter(stage, "a").say(publish("t", b"z", about=[(0x7E, b"")]), ends=True)
    enter(stage, "c", ("t", 1))


@script()
def client_that_takes_small_packets_only(stage: Stage) -> None:
    publish, a = publishes(stage), enter(stage, "a")
    small = [mqtt.number(mqtt.MAXIMUM_PACKET, 60)]
    b = enter(stage, "b", ("t", 1), about=[*small, mqtt.number(mqtt.RECEIVE_MAXIMUM, 5)])
    for mid, size in enumerate((10, 60, 49, 53, 54, 20, 20, 60, 20), 1):
        a.say(publish("t", b"x" * size, qos=1, mid=mid))
    for mid in range(1, 10):
        b.say(mqtt.answer(mqtt.PUBACK, mid))


@script()
def clients_of_both_versions(stage: Stage) -> None:
    publish, a = publishes(stage), enter(stage, "a")
    others = enter(stage, "other", ("t", 1), v5=not stage.v5, will=("t", b"gone", 1, True))
    about = [CORRELATION, ANSWER_TO, mqtt.number(mqtt.MESSAGE_EXPIRY, 100)]
    a.say(publish("t", b"x", qos=1, retain=True, about=about))
    enter(stage, "late", ("t", 1), v5=not stage.v5)
    listener = enter(stage, "listener", ("t", 1))
    others.drop()
    listener.say(mqtt.disconnect(), ends=True)


@script()
def time_passes(stage: Stage) -> None:
    publish = publishes(stage)
    a = enter(stage, "a")
    for seconds in (1, 100):
        expiry = [mqtt.number(mqtt.MESSAGE_EXPIRY, seconds)]
        a.say(publish(f"t/{seconds}", b"x", qos=1, retain=True, about=expiry))
    enter(stage, "listener", ("t/will", 1))
    silent = [enter(stage, f"{v5}", v5=v5, will=WILL, keepalive=1) for v5 in (False, True)]
    enter(stage, "never", keepalive=0)
    stage.wait(KEEP_ALIVE_CHECK_S)
    for each in silent:
        each.listen(None)
    enter(stage, "late", ("t/1", 1))


@pytest.fixture
def real(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RealStage]:
    setting, _ = SCRIPTS[request.getfixturevalue("name")]
    stage = RealStage(setting, tmp_path)
    try:
        yield stage
    finally:
        stage.close()


CASES = [(name, v5) for name in SCRIPTS for v5 in (False, True) if v5 or name != "time_passes"]


@pytest.mark.parametrize(("name", "v5"), CASES)
def test_model_answers_like_mosquitto(name: str, v5: bool, real: RealStage) -> None:
    setting, play = SCRIPTS[name]
    model = ModelStage(setting)
    model.v5 = real.v5 = v5
    play(real)
    play(model)
    assert model.transcript() == real.transcript()


@pytest.mark.parametrize("v5", [False, True])
def test_a_stop_publishes_each_will_like_mosquitto(v5: bool, tmp_path: Path) -> None:
    real = RealStage(Setting(), tmp_path)
    model = ModelStage(Setting())
    for stage in (real, model):
        stage.v5 = v5
        enter(stage, "a", ("t/#", 1), will=WILL)
        enter(stage, "b", ("t/#", 1), will=("t/b", b"gone", 0, True))
        stage.stop()
    real.close()
    assert model.transcript() == real.transcript()


def test_mqtt_5_says_who_was_taken_over() -> None:
    broker, said = Broker(lambda: 0.0), []
    for _ in range(2):
        broker.accept(said.append, lambda: None).receive(mqtt.connect("a", v5=True))
    assert [each[0] >> 4 for each in said] == [mqtt.CONNACK, mqtt.DISCONNECT, mqtt.CONNACK]
    assert said[1] == mqtt.disconnect(0x8E)


def test_a_connection_hangs_and_goes_on() -> None:
    broker, said = Broker(lambda: 0.0), []
    connection = broker.accept(said.append, lambda: said.append(b"end"))
    connection.receive(mqtt.connect("a", v5=False, will=WILL))
    connection.hangs = True
    connection.receive(mqtt.PING)
    connection.lost()
    assert len(said) == 1
    assert list(broker.clients) == ["a"]
    connection.go_on()
    assert said[1:] == [mqtt.packet(0xD0), b"end"]
    assert not broker.clients
