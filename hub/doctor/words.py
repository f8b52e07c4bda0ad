"""What is said of each finding: what is so, and what to do. The doctor speaks English."""

WORDS: dict[str, tuple[str, str]] = {
    # python
    "python": ("Python {version}, {bits} bits", ""),
    "python-old": ("Python {version} is too old", "install Python 3.11 or newer"),
    "python-32": (
        "Python has 32 bits",
        "install a 64-bit system: not every library comes for 32 bits any more",
    ),
    "packages": ("all {count} libraries are there", ""),
    "package-missing": ("{where} is not installed", "python -m pip install '{wanted}'"),
    "package-old": ("{where} {version} is too old", "python -m pip install '{wanted}'"),
    # configuration
    "config": ("{summary}", ""),
    "no-config": ("no configuration is here", "facedown init, or --config FILE"),
    "config-fault": ("{fault}", "mend the line"),
    "config-first": (
        "files, readers, deck, broker and pages were not looked at",
        "they are as soon as the configuration is sound",
    ),
    "config-remark": ("{fault}", ""),
    # files
    "files": ("nobody else can read or change what is secret", ""),
    "playing": ("the hub of this table runs (process {process})", ""),
    "folder-open": (
        "other users can change files in {where} (mode {mode})",
        "chmod go-w {where}",
    ),
    "journal-open": ("other users can read the journal (mode {mode})", "chmod 600 {where}"),
    "journal-closed": (
        "{user} may not write the journal, which belongs to {owner}",
        "sudo chown {user} {where}*, and do not run the hub as another user",
    ),
    "folder-closed": (
        "{user} may not write in {where}, where the journal has to be",
        "sudo chown {user} {where}",
    ),
    "journal-broken": (
        "the journal is damaged: {fault}",
        "stop the hub, and bring back a backup: facedown restore",
    ),
    # disk
    "disk": ("{free_mb} MB free; a write is safe after {sync_ms} ms", ""),
    "disk-full": (
        "only {free_mb} MB are free",
        "make room: without it the table stops with the next card",
    ),
    "disk-low": ("only {free_mb} MB are free", "make room before a long evening"),
    "disk-read-only": (
        "nothing can be written: {fault}",
        "a worn SD card turns itself read-only: exchange it; else mount -o remount,rw",
    ),
    "disk-slow": (
        "a write takes {sync_ms} ms to be safe",
        "a slow or worn card: exchange it, or put the journal on another disk",
    ),
    "disk-worn": (
        "the disk says that {used} of its life is used up",
        "back up the table (facedown backup) and exchange the card",
    ),
    "disk-errors": (
        "the kernel has told of {count} disk errors since the start",
        "back up the table (facedown backup) and exchange the card or its cable",
    ),
    # clock
    "clock": ("it is {now}; {source}", ""),
    "clock-loose": (
        "nobody sets the clock",
        "timedatectl set-ntp true; without a network set it by hand, or times in the log are wrong",
    ),
    "clock-wrong": (
        "the clock shows {now}, before {since}, when the newest file of this table was written",
        "timedatectl set-ntp true, or set it by hand: timedatectl set-time",
    ),
    "clock-jumps": (
        "the clock jumped by {jump_s} s while it was watched",
        "two programs set it: leave only one of systemd-timesyncd, chrony and ntpd",
    ),
    # readers
    "reader": ("{what}", "{do}"),
    "reader-simulated": ("is simulated", "name a real reader in its [[seat]] when you have one"),
    "reader-playing": ("{state}, says the hub that runs", ""),
    "reader-lost": (
        "is lost, says the hub that runs",
        "the GM's console says why; or stop the hub, then facedown readers --test",
    ),
    "readers-held": (
        "the hub runs and has the readers to itself; it could not be asked",
        "stop it to test them: facedown readers --test",
    ),
    "reader-unnamed": (
        "a serial device is plugged in that is no seat's",
        "if it is a reader, name it in a [[seat]]",
    ),
    # deck
    "deck": ("{count} cards; nothing is missing", ""),
    "deck-empty": ("the deck has no cards", "facedown cards new --config {config}"),
    "cards-missing": (
        "{count} cards that somebody can choose are missing",
        "facedown cards check --config {config} names them; choosing on phones works without",
    ),
    "cards-unknown": (
        "{count} cards are known to no ruleset of this table",
        "facedown cards check --config {config} names them",
    ),
    "cards-unwritten": (
        "of {count} of {all} cards nobody has said that the tag is written",
        "facedown cards write; those that an older version wrote are as good",
    ),
    "deck-unread": ("{fault}", "mend the line"),
    # broker
    "broker": ("answers, and knows who its clients are", ""),
    "broker-off": ("none is configured: the table plays without", ""),
    "broker-embedded": ("the hub brings its own, for this machine alone", ""),
    "broker-unreachable": (
        "cannot be reached: {fault}",
        "start it (sudo systemctl start mosquitto), or correct host and port under [mqtt]",
    ),
    "broker-login": ("{fault}", "correct username and password under [mqtt]"),
    "broker-settings": ("{fault}", "correct [mqtt]"),
    "broker-open": (
        "lets in anybody, who can then write what the table shows",
        "allow_anonymous false, a password_file and an acl_file (docs/mqtt.md)",
    ),
    "broker-commands-open": (
        "lets anybody give commands, so the hub will not hear any",
        "allow_anonymous false, a password_file and an acl_file (docs/mqtt.md)",
    ),
    "broker-deaf": (
        "does not let the hub read its own topics, so what is not taken is not noticed",
        "topic readwrite facedown/# for the hub in its acl_file",
    ),
    "broker-small": (
        "drops messages of {size_kb} kB",
        "message_size_limit 262144 in its configuration",
    ),
    "broker-limit": (
        "drops messages of {size_kb} kB, though not smaller ones",
        "message_size_limit 262144 holds every table",
    ),
    "broker-stale": (
        "keeps topics that are not this table's any more: {topics}",
        "they go when the hub starts; or mosquitto_pub -r -n -t TOPIC",
    ),
    "broker-ghost": (
        "says that the hub is online, and none runs here",
        "another hub with this table's name runs elsewhere, or a client has written it: give each "
        "table a name of its own",
    ),
    # pages
    "pages": ("phones open them at {address}", ""),
    "pages-answer": ("the hub answers at {address}", ""),
    "pages-off": ("are switched off under [web]", ""),
    "pages-alone": (
        "open on this machine alone",
        'to let phones in, set host = "0.0.0.0" under [web]',
    ),
    "pages-silent": (
        "the hub runs, and its pages do not answer at {address}: {fault}",
        "look at its log; is the port right?",
    ),
    "port-taken": (
        "port {port} is taken by {holder}",
        "stop that, or choose another port under [web]",
    ),
    "port-closed": (
        "port {port} may not be opened by {user}",
        "choose a port from 1024 on under [web]",
    ),
    "address-foreign": (
        "{host} is no address of this machine",
        'set host = "0.0.0.0" under [web]',
    ),
    "pages-unreachable": (
        "what listens on port {port} cannot be reached at this machine's own address {address}",
        "a firewall keeps it: let TCP port {port} in",
    ),
    "no-network": (
        "this machine is in no network, so no phone can reach it",
        "join the phones' Wi-Fi, or let the Pi open one",
    ),
    "name": ("phones may also call {address}", ""),
    "name-unlisted": (
        "phones find this machine as {name}, but the pages do not answer to it",
        'hosts = ["{name}"] under [web]',
    ),
    "firewall": (
        "{tool} drops what comes in, and nothing lets port {port} through",
        "{advice}",
    ),
    "firewall-unread": (
        "{tool} may keep phones out; only root can see that",
        "sudo facedown doctor",
    ),
    # unit
    "unit": ("runs by systemd; its log: journalctl -u {where} -e", ""),
    "unit-missing": ("the hub is not installed as a service", ""),
    "unit-idle": ("is installed and does not run", "sudo systemctl enable --now {where}"),
    "unit-failed": (
        "has failed ({result})",
        "journalctl -u {where} -e says why; then sudo systemctl restart {where}",
    ),
    "unit-restarts": (
        "was started again {count} times",
        "journalctl -u {where} -e says why",
    ),
    # any
    "unfinished": (
        "this could not be looked at: {fault}",
        "please report it",
    ),
}
"""Code → what is so, and what to do."""
