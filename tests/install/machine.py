"""A folder that stands in for a machine's ``/``."""

from pathlib import Path

from click.testing import Result
from typer.testing import CliRunner

from hub.cli.main import app


class Machine:
    """Debian's files that a plan reads. User ids are the caller's, so that no root is needed."""

    def __init__(self, root: Path, *, mosquitto: bool = True) -> None:
        self.root = root
        for folder in ("etc/mosquitto/conf.d", "usr/sbin"):
            (root / folder).mkdir(parents=True)
        users = "root:x:0:0::/root:/bin/sh\nfacedown:x:990:990::/var/lib/facedown:/bin/false\n"
        (root / "etc/passwd").write_text(users)
        (root / "etc/group").write_text("root:x:0:\nmosquitto:x:991:\nfacedown:x:990:\n")
        main = "persistence true\n# listener 1883\ninclude_dir /etc/mosquitto/conf.d\n"
        (root / "etc/mosquitto/mosquitto.conf").write_text(main)
        if mosquitto:
            (root / "usr/sbin/mosquitto").touch()

    def at(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    def text(self, path: str) -> str:
        return self.at(path).read_text(encoding="utf-8")

    def run(self, command: str, *words: object) -> Result:
        words = (command, *words, "--root", self.root)
        return CliRunner().invoke(app, [str(word) for word in words])

    def provision(self, *words: object) -> str:
        """Run ``facedown provision``, which must succeed, and return its output."""
        result = self.run("provision", *words)
        assert result.exit_code == 0, result.output
        return result.output

    def everything(self) -> dict[str, tuple[bytes, int, float]]:
        """Return content, mode and time of every file."""
        return {
            str(path.relative_to(self.root)): (
                path.read_bytes(),
                path.stat().st_mode & 0o777,
                path.stat().st_mtime,
            )
            for path in self.root.rglob("*")
            if path.is_file()
        }

    def password(self, user: str) -> str:
        """Return the password as the user or the hub received it."""
        if user == "hub":
            return self.text("/etc/facedown/credentials/table/mqtt-password").strip()
        lines = self.text("/etc/facedown/passwords").splitlines()
        return dict(line.split(" ") for line in lines)[user]
