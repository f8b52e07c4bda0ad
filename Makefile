# Facedown. `make demo` starts a table to play with; `make test` runs every test.
# Both set up what they need; `make help` lists the rest.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NODE := node_modules/.installed
NEWER := .venv-3.13
ARGS ?=
# Tests at a time. Most of them wait, for a card to rest or a page to be drawn.
SIDE_BY_SIDE ?= 4

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev system-packages micropython demo test check soak bench counts booted docs pictures networks homeassistant old-browser deb deb-test arm clean

help: ## Show this list
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' Makefile | expand -t 18

setup: $(VENV)/.demo ## A virtual environment in .venv with the hub and its demo

setup-dev: $(VENV)/.dev ## The same with everything that the tests need

$(VENV)/bin/python:
	@scripts/make-venv "$(PYTHON)" "$(VENV)"

$(VENV)/.demo: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[demo]'
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[demo,dev]'
	@touch $@ $(VENV)/.demo

# Node checks the pages' scripts; the hub and its demo do without it.
$(NODE): package.json
	@command -v npm >/dev/null || scripts/system-packages nodejs npm
	npm install --silent --no-audit --no-fund --no-package-lock
	@touch $@

system-packages: ## The system's packages that the tests need (asks for root if it has to)
	@scripts/system-packages mosquitto chromium-headless-shell chromium-driver openssl poppler-utils iproute2 tesseract-ocr tesseract-ocr-deu valgrind

micropython: ## MicroPython for Unix, which runs the firmware in the tests (Debian 12: unpacked into .micropython)
	@scripts/micropython --get

demo: setup $(if $(findstring --firmware,$(ARGS)),micropython) ## A table with three seats in the browser; ARGS="--autoplay" lets it play itself
	@$(BIN)/facedown demo $(ARGS)

test: system-packages micropython setup-dev ## Everything: lint, types, rooms, tests
	@$(MAKE) --no-print-directory -j2 types lint compiled # the types take one core, the rest another
	@$(if $(ARGS),,$(MAKE) --no-print-directory newer counts)
	@scripts/tests $(BIN)/python -n $(SIDE_BY_SIDE) --dist loadfile --no-loadscope-reorder $(ARGS)

ON_FAULTS := tests/e2e/test_beside_the_journal.py tests/cli/test_odd_files.py tests/cli/test_restore_killed.py \
    tests/firmware/test_led_clock_names.py

# A start, its sockets and signals, and its answers to systemd: what a newer
# interpreter has broken before.
ON_NEWER := $(addprefix tests/,e2e/test_service.py e2e/test_signals.py e2e/test_status_sockets.py)

.PHONY: newer
newer: ## A cheap part of the tests on Python 3.13, where there is one beside an older; ARGS=tests for all
	@python=$$(scripts/python-3.13 $(BIN)/python); [ -z "$$python" ] || \
	    $(MAKE) --no-print-directory tests-on-newer NEWER_PYTHON="$$python"

$(NEWER)/.dev: pyproject.toml constraints.txt
	$(NEWER_PYTHON) -m venv $(NEWER)
	$(NEWER)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[demo,dev]'
	@touch $@

.PHONY: tests-on-newer
tests-on-newer: $(NEWER)/.dev
	$(NEWER)/bin/python -m pytest -q -n $(SIDE_BY_SIDE) --dist loadfile $(or $(ARGS),$(ON_NEWER))

.PHONY: types lint compiled
check: lint types ## Lint, formatting, types and the import direction of the rooms; the pages' scripts

types: setup-dev
	$(BIN)/mypy

# Once, not in each of the processes that tests start; and the tests with what pytest makes of their
# assertions, not in each worker. What cannot be collected is said when they run.
compiled: setup-dev
	@$(BIN)/python -m compileall -q hub tests
	@env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest --collect-only -qq >/dev/null 2>&1 || true

lint: setup-dev $(NODE)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	npm run --silent check
	npm run --silent asyncapi

.PHONY: asyncapi
asyncapi: $(NODE) ## docs/asyncapi.json held to the AsyncAPI project's own parser
	npm run --silent asyncapi

.PHONY: recipes
recipes: setup-dev $(NODE) ## docs/connect/recipes tried: a real Node-RED, Prometheus, ESPHome and voice, Grafana by its types, fetched first (not part of `make test`)
	scripts/system-packages mosquitto mosquitto-clients jq prometheus espeak-ng
	scripts/recipe-tools $(BIN)/python
	$(BIN)/python -m pytest -q -m recipes tests/recipes $(ARGS)

soak: setup-dev micropython $(NODE) ## Evenings of twin hubs and drawn examples, new ones at each run, and an hour of a seat board's; ARGS="--plans 5000"
	$(BIN)/python -m tests.support.twins $(ARGS)
	$(BIN)/python -m pytest -q --hypothesis-profile=fresh tests/rules tests/table tests/wire
	$(BIN)/python -m tests.firmware.soak

.PHONY: faults
faults: setup-dev ## Every file beside the journal in every state, every command at every odd file, a restore killed at every call (`make test` tries each third)
	$(BIN)/python -m pytest -q -m 'faults or not faults' -n $(SIDE_BY_SIDE) --dist load $(ON_FAULTS) $(ARGS)

.PHONY: leaks
leaks: setup-dev ## Every leak of the catalogue planted in a hub of its own, and found (`make test` plants each sixth)
	$(BIN)/python -m pytest -q -m 'leaks or not leaks' -n $(SIDE_BY_SIDE) --dist load tests/secrecy $(ARGS)

.PHONY: sim
sim: setup-dev ## Evenings of a whole hub in virtual time, with faults drawn by seeds, new ones at each run; ARGS="--seeds 100000", or ARGS="--seed 7" for one with its story
	$(BIN)/python -m tests.simulation $(ARGS)

.peer/.installed: tests/bench/boardgame/package.json
	@command -v npm >/dev/null || scripts/system-packages nodejs npm
	mkdir -p .peer && cp $< .peer
	npm install --silent --no-audit --no-fund --no-package-lock --prefix .peer
	@touch $@

bench: setup-dev .peer/.installed ## The figures of speed and size, as ratios against baselines of the same run; ARGS="reveal idle" for some
	$(BIN)/python -m tests.bench $(ARGS)

counts: setup-dev ## Instructions of five fixed jobs, by callgrind, beside the last commit's: over 3 % more fails; ARGS=COMMIT for another one
	@scripts/system-packages valgrind
	@$(BIN)/python -m tests.bench.counts $(ARGS)

# The bases are kept in .booted; each test boots one of its own, laid over them.
booted: setup-dev ## The units in a booted systemd of Debian 12 and 13: killed, starved, unplugged, cut off (needs root; not part of `make test`)
	@scripts/system-packages debootstrap systemd-container mosquitto e2fsprogs
	scripts/booted-base bookworm .booted
	scripts/booted-base trixie .booted
	$(BIN)/python -m pytest -q -m booted tests/booted $(ARGS)

.PHONY: tourists
tourists: setup-dev ## The Conflicts of N-Dimensional Tourists' book whole, card by card at simulated readers, the hub killed after every word (some minutes; not part of `make test`)
	@scripts/system-packages mosquitto
	$(BIN)/python -m pytest -q -m conflicts -n $(SIDE_BY_SIDE) --dist load tests/e2e $(ARGS)

.PHONY: tricube
tricube: setup-dev ## Scenes of Tricube Tales whole, the book's fight among them, at simulated readers, the hub killed after every word, and evenings that press all that its pages offer (some minutes; not part of `make test`)
	@scripts/system-packages mosquitto chromium-headless-shell chromium-driver
	$(BIN)/python -m pytest -q -m tales -n $(SIDE_BY_SIDE) --dist load tests/e2e tests/adapters/web $(ARGS)

.PHONY: calculations
calculations: setup-dev ## Write the documents of hardware/calculations again, from their inputs
	$(BIN)/python -m hardware.calculations.documents

.PHONY: wiring
wiring: setup-dev ## Draw the pictures of hardware/builds again, wires and steps, and write their bills of materials
	$(BIN)/python -m hardware.builds.wiring
	$(BIN)/python -m hardware.builds.steps
	$(BIN)/python -m hardware.builds.bom

.PHONY: spice
spice: setup-dev ## Simulate the circuits of hardware/calculations again with ngspice, and write the documents (some seconds; not part of `make test`)
	@scripts/system-packages ngspice
	$(BIN)/python -m hardware.calculations.circuits
	$(BIN)/python -m hardware.calculations.documents
	$(BIN)/python -m pytest -q -n 0 -m spice tests/hardware $(ARGS)

.PHONY: boards
boards: | $(VENV)/bin/python ## The boards, from their data: schematic, layout, checks, everything to be ordered, in KiCad 9 (Debian 13, or root for a base of it in .boards; some minutes; not part of `make test`); ARGS="seat-board" for one
	scripts/boards $(ARGS)

# An environment of its own: the modeller and all that it brings are 1.1 GB.
.cases/.made: pyproject.toml constraints.txt
	@scripts/system-packages libgl1 libx11-6 libexpat1
	@scripts/make-venv "$(PYTHON)" .cases
	.cases/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[cases]'
	@touch $@

.PHONY: cases
cases: .cases/.made ## The printed cases: built, checked for walls, fits and overhangs, as STL and STEP in hardware/cases/build, and drawn (a minute or two; not part of `make test`); ARGS="seat" for one
	.cases/bin/python -m pytest -q -c /dev/null --rootdir . --noconftest -p no:cacheprovider tests/hardware/planted_in_cases.py
	.cases/bin/python -m hardware.cases.make $(ARGS)

docs: setup-dev ## Write what is generated in docs/ again
	$(BIN)/python scripts/write_docs.py
	$(BIN)/python -m tests.bench.page

$(VENV)/.site: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	@touch $@

.PHONY: site
site: $(VENV)/.site ## The documentation as a site in build/site, which loads nothing from elsewhere; a broken link fails (not part of `make test`)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

pictures: setup-dev ## Write the README's pictures again, from the pages as they are
	$(BIN)/python -m pytest -q -m pictures tests/adapters/web
	cp screenshots/display-6-thirteen-tv.png docs/images/display.png
	cp screenshots/table-2-stance-laptop.png docs/images/table.png
	cp screenshots/gm-4-split-phone.png docs/images/gm.png
	cp screenshots/seat-2-picked-phone.png docs/images/seat.png
	$(BIN)/python -m tests.pictures.cards docs/images/cards.png
	$(BIN)/python -m tests.pictures docs/images/reveal.webp
	$(MAKE) afar ARGS=docs/images

.PHONY: afar
afar: setup-dev ## The display in every drawn moment, language and theme, read by tesseract as seen from afar (not part of `make test`)
	@scripts/system-packages tesseract-ocr tesseract-ocr-deu
	$(BIN)/python -m tests.pictures.afar screenshots/moments $(ARGS)

networks: setup-dev ## The hub's name and its own Wi-Fi, in networks of namespaces, with real Avahi and dnsmasq (not part of `make test`)
	@scripts/system-packages avahi-daemon avahi-utils curl dbus dnsmasq-base iproute2 network-manager
	FACEDOWN_NETWORKS=1 unshare --map-root-user --mount --net --pid --fork --mount-proc \
	    $(BIN)/python -m pytest -q -m networks tests/networks $(ARGS)

.PHONY: rp2040
rp2040: setup-dev ## The seat reader's firmware on a simulated RP2040, instruction by instruction (minutes; Debian 13, or 12 as root; not part of `make test`)
	FACEDOWN_TEST_RP2040=$$(scripts/rp2040) $(BIN)/python -m pytest -q -n 0 tests/rp2040/on_the_chip.py $(ARGS)

# Every page through a turn: the display, a phone, the console, the virtual table, a recap.
OLD_BROWSER_TESTS := $(addprefix tests/adapters/web/test_,reveal_frames.py phone.py gm_page.py table_page.py recap_page.py)

# Its driver is the system's, which cannot take hold of an element there, and so drags nothing.
old-browser: setup-dev ## The pages through a turn in a Chromium of 2023, fetched from npm (x86-64; not part of `make test`)
	FACEDOWN_TEST_CHROMIUM=$$(scripts/old-browser) $(BIN)/python -m pytest -q $(OLD_BROWSER_TESTS) \
	    --deselect tests/adapters/web/test_table_page.py::test_a_card_is_dragged $(ARGS)

deb: setup-dev ## The Debian packages, for amd64 and arm64, with all that they need, into dist/
	@$(BIN)/python scripts/build-deb

.PHONY: release
release: setup-dev ## A release into dist/: sdist, wheel, Debian packages, their sums; refused where version, changelog or tree are not ready; ARGS=--check only asks
	$(BIN)/python scripts/release.py $(ARGS)

deb-test: setup-dev ## The package, the guide to a Raspberry Pi and the rules for readers, on Debian 12 and 13 (as root, with debootstrap; some fifteen minutes)
	@scripts/system-packages debootstrap dpkg-dev iproute2 lintian openssl systemd-container
	$(BIN)/python -m pytest -q -n 0 --timeout 1200 tests/packages/on_udev.py tests/packages/on_debian.py \
	    tests/packages/on_booted.py $(ARGS)

arm: setup-dev ## The package on a 64-bit Arm that qemu runs: installed, and a turn is played (as root, with debootstrap; some twenty minutes)
	@scripts/system-packages debootstrap dpkg-dev qemu-user-static binfmt-support
	@[ -e /proc/sys/fs/binfmt_misc/status ] || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
	@# Debian 12 registers qemu by binfmt-support, Debian 13 by a file for systemd-binfmt.
	@[ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || update-binfmts --enable qemu-aarch64 2>/dev/null || \
	    cat /usr/lib/binfmt.d/qemu-aarch64.conf >/proc/sys/fs/binfmt_misc/register
	$(BIN)/python -m pytest -q -n 0 tests/packages/on_arm.py $(ARGS)

# What `make test` runs, then everything that has a target of its own. Boards and cases come last:
# nothing that plays depends on them.
NIGHTLY := test newer faults leaks "sim ARGS='--minutes 20'" soak tourists tricube old-browser afar recipes networks homeassistant spice site \
    booted deb-test rp2040 arm boards cases
NIGHT := .nightly

.PHONY: nightly
nightly: ## Every target that tests, one after the other, and one table of how each ended (as root; hours); ARGS=--again for those that failed, or ARGS="leaks soak"
	@command -v python3 >/dev/null || scripts/system-packages python3
	python3 scripts/nightly.py --into $(NIGHT) $(or $(ARGS),$(NIGHTLY))

homeassistant: setup-dev ## A real Home Assistant with the table, in .homeassistant (Python 3.13, or root for a Debian 13 that has it; not part of `make test`)
	scripts/homeassistant
	$(BIN)/python -m pytest -q -m homeassistant tests/homeassistant $(ARGS)

clean: ## Remove what was generated
	rm -rf $(VENV) $(NEWER) .nightly node_modules build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis screenshots .old-browser .micropython .booted dist .bases .rp2040 .peer
	rm -rf .recipes .homeassistant .homeassistant-base .cases hardware/cases/build .boards hardware/boards/dist
