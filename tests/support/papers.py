"""Certificates for a broker that speaks TLS, made by openssl."""

import subprocess
from pathlib import Path


def made_in(folder: Path, *more: str) -> Path:
    """A folder with a CA, its certificates for broker and hub, and a second CA.

    The broker's certificate is for 127.0.0.1 and the addresses in ``more``.
    """

    folder.mkdir(exist_ok=True)

    def openssl(*words: str) -> None:
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    for ca in ("ca", "other"):
        openssl("req", "-x509", *key, "-keyout", f"{ca}.key", "-out", f"{ca}.pem", "-days", "2",
                "-subj", f"/CN={ca}", "-addext", "keyUsage=critical,keyCertSign")  # fmt: skip
    (folder / "names").write_text(
        "subjectAltName=" + ",".join(f"IP:{each}" for each in ("127.0.0.1", *more)) + "\n"
    )
    for name in ("broker", "hub"):
        openssl(
            "req", *key, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}"
        )
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
                "-CAcreateserial", "-days", "2", "-extfile", "names",
                "-out", f"{name}.pem")  # fmt: skip
    folder.chmod(0o755)
    for file in folder.iterdir():
        file.chmod(0o644)
    return folder
