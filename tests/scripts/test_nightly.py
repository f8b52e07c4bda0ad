"""``make nightly``: fake targets, a real make, and the real script in its own process."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "nightly.py"
MAKEFILE = """
.PHONY: good bad broken loud hung twice args
good:
	@echo '== 7 passed, 2 skipped, 3 deselected in 1.25s =='
bad:
	@echo 'FAILED tests/test_x.py::test_y - assert 1 == 2'
	@echo 'FAILED tests/test_x.py::test_z - later'
	@echo '========= 2 failed, 4 passed, 1 error in 61.20s (0:01:01) ========='
	@exit 1
broken:
	@echo 'no such program'
	@exit 3
twice:
	@echo '5 passed in 0.10s'
	@echo '6 passed, 1 deselected in 0.20s'
args:
	@echo "args: $(ARGS), flags: $(MAKEFLAGS)"
	@test "$(ARGS)" = "$(WANTED)"
hung:
	@echo begun
	@echo $$$$ >shell
	@mkfifo wait; echo ready >started; cat wait
mended:
	@test -e mended-now
nightly:
	@$(NIGHTLY) $(TARGETS)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "Makefile").write_text(MAKEFILE)
    return tmp_path


def nightly(project: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, SCRIPT, *words], cwd=project, text=True, capture_output=True
    )


def rows(project: Path) -> dict[str, list[str]]:
    lines = (project / ".nightly/table.md").read_text().splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return {row[0]: row[1:] for row in cells[2:]}


def test_a_failing_target_does_not_stop_the_later_ones(project: Path) -> None:
    ended = nightly(project, "bad", "broken", "good")
    assert ended.returncode == 1
    found = rows(project)
    assert list(found) == ["bad", "broken", "good"]
    assert found["bad"][:4] == ["FAILED", "4", "3", ""]
    assert found["bad"][-1] == "FAILED tests/test_x.py::test_y - assert 1 == 2"
    assert found["broken"][0] == "FAILED"
    assert "broken] Error 3" in found["broken"][-1]
    assert found["good"][:4] == ["passed", "7", "", "5"]
    assert (project / ".nightly/table.md").read_text() in ended.stdout


def test_a_run_without_failures_exits_0_and_keeps_a_log_of_each_target(project: Path) -> None:
    assert nightly(project, "good", "twice").returncode == 0
    assert rows(project)["twice"][:4] == ["passed", "11", "", "1"]
    assert "5 passed in" in (project / ".nightly/twice.log").read_text()


def test_a_target_uses_its_own_variables_not_those_of_the_calling_make(
    project: Path,
) -> None:
    ours = {**os.environ, "NIGHTLY": f"{sys.executable} {SCRIPT}"}
    words = [
        "make",
        "nightly",
        "ARGS=of-the-night",
        "TARGETS=\"args ARGS='--plans 9' WANTED='--plans 9'\" args",
    ]
    ended = subprocess.run(words, cwd=project, env=ours, text=True, capture_output=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert (
        "args: --plans 9,"
        in (project / ".nightly/args-ARGS-plans-9-WANTED-plans-9.log").read_text()
    )
    assert "of-the-night" not in (project / ".nightly/args.log").read_text()


def test_again_runs_only_failed_targets(project: Path) -> None:
    assert nightly(project, "good", "mended", "bad").returncode == 1
    (project / "mended-now").touch()
    (project / ".nightly/good.log").unlink()
    assert nightly(project, "--again", "mended").returncode == 1
    assert rows(project)["mended"][0] == "passed"
    assert rows(project)["bad"][0] == "FAILED"
    shutil.copy(project / "Makefile", project / "GNUmakefile")
    with (project / "GNUmakefile").open("a") as file:
        file.write("\nbad:\n\t@echo '1 passed in 0.01s'\n")
    assert nightly(project, "--again").returncode == 0
    assert list(rows(project)) == ["good", "mended", "bad"]
    assert not (project / ".nightly/good.log").exists(), "what passed was run again"


@pytest.mark.parametrize("text", [None, "", "{", "[]", '{"targets": 3, "results": [{}]}'])
def test_again_without_an_earlier_run_is_explained(project: Path, text: str | None) -> None:
    if text is not None:
        (project / ".nightly").mkdir()
        (project / ".nightly/results.json").write_text(text)
    ended = nightly(project, "--again")
    assert ended.returncode == 2
    assert "no earlier run to take up" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_call_without_targets_is_explained(project: Path) -> None:
    ended = nightly(project)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "name the targets" in ended.stderr


def test_a_hanging_target_is_killed_with_all_its_processes(project: Path) -> None:
    assert nightly(project, "--limit", "1", "hung", "good").returncode == 1
    assert rows(project)["hung"][0] == "TOO LONG"
    assert "last: begun" in rows(project)["hung"][-1]
    assert rows(project)["good"][0] == "passed"
    shell = int((project / "shell").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(shell, 0)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_stopped_run_keeps_its_results_and_can_be_resumed(
    project: Path, stop: signal.Signals
) -> None:
    os.mkfifo(project / "started")
    words = [sys.executable, SCRIPT, "good", "hung", "twice"]
    process = subprocess.Popen(words, cwd=project, stdout=subprocess.PIPE, text=True)
    with (project / "started").open() as started:
        assert started.read() == "ready\n"
    process.send_signal(stop)
    said, _ = process.communicate()
    assert process.returncode == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int((project / "shell").read_text()), 0)
    assert "--again does the rest" in said
    kept = json.loads((project / ".nightly/results.json").read_text())
    assert [each["target"] for each in kept["results"]] == ["good"]
    assert [row[0] for row in rows(project).values()] == ["passed", "not run", "not run"]
