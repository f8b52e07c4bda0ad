"""The rate limit of pages, MQTT commands and corrections."""

from hub.kernel.bucket import Bucket


def test_a_bucket_starts_full_and_fills_again_up_to_its_burst() -> None:
    bucket = Bucket(2.0, 3)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(100.5) for _ in range(2)] == [True, False]
    assert [bucket.take(200.0) for _ in range(4)] == [True, True, True, False]


def test_a_slow_bucket_keeps_parts_of_a_token() -> None:
    bucket = Bucket(0.5, 1)
    assert [bucket.take(10.0 + at) for at in range(5)] == [True, False, True, False, True]


def test_a_burst_of_less_than_one_allows_nothing() -> None:
    bucket = Bucket(0.25, 0.5)
    assert not any(bucket.take(float(at)) for at in range(10))
