"""The jobs that the hub gives a board for its chip, one at a time."""

from common.antenna import RadioDead
from seat_reader.chip import ChipError, Disturbed, Silent

SET_UP, MEND, LOOK = 1, 2, 3
NO_CHIP, RADIO_DEAD, DISTURBED = 1, 2, 3


class Job:
    """The chip's present job, which a new job ends."""

    def __init__(self, chip, field):
        self._chip, self._field = chip, field
        self._work = None
        self.done = True
        self.failure = DISTURBED  # nothing was done yet
        self.looked = None
        self.ready = (0, 0, 0)

    def begin(self, job, care, patience_ms):
        """Begin a job. Returns False if there is no such job or care."""
        if job == LOOK and care <= 3:
            work = self._field.look(care, patience_ms)
        elif job in (SET_UP, MEND):
            work = self._field.set_up()
        else:
            return False
        if self._work is not None:
            self._work.close()
        self._work = work
        self._is_look = job == LOOK
        self.done, self.failure, self.looked = False, 0, None
        return True

    def step(self):
        """Continue the job as far as it goes without waiting."""
        if self._work is None:
            return
        try:
            next(self._work)
            return
        except StopIteration as end:
            if self._is_look:
                began, listed, tags = end.value
                self.looked = (began, listed, self._field.blind, tags)
            else:
                self.ready = self._chip.version + (self._field.antenna,)
        except Silent:
            self.failure = NO_CHIP
        except RadioDead:
            self.failure = RADIO_DEAD
        except (Disturbed, ChipError):
            self.failure = DISTURBED
        self._work, self.done = None, True
