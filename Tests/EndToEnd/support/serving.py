"""Further servers for one test, TLS certificates, raw connections, and waiting for a condition."""

import contextlib
import datetime
import socket
import subprocess
import time

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from support.server import Server


@contextlib.contextmanager
def serving(server, *arguments, data=None):
    """Starts a server with these arguments and removes it at the end."""
    other = Server(server.binary, data=data, arguments=arguments)
    try:
        yield other
    finally:
        other.clean()


def wait(what, condition, seconds=240):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = condition()
        if found:
            return found
        time.sleep(0.2)
    raise AssertionError(f"{what} did not happen within {seconds} s")


def tool(server, *arguments, status=0):
    ended = subprocess.run(
        [server.binary, *map(str, arguments), "--data", server.data], capture_output=True, text=True, timeout=300,
        env=server.environment)
    assert ended.returncode == status, (ended.returncode, ended.stdout, ended.stderr)
    return ended.stdout + ended.stderr


def new_key(server, *arguments):
    return tool(server, "keys", "add", "api", *arguments).split("API key: ")[1].split()[0]


def certificate(folder, name="localhost"):
    """Writes a self-signed certificate to cert.pem and key.pem; each file is replaced atomically."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True).sign(key, hashes.SHA256()))
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    for path, text in (("cert.pem", made.public_bytes(serialization.Encoding.PEM)), ("key.pem", secret)):
        (folder / (path + ".new")).write_bytes(text)
        (folder / (path + ".new")).rename(folder / path)
    return made.serial_number


def send_raw(server, text, seconds=240):
    """Returns the server's reply to these bytes, read until it closes the connection or sends nothing for `seconds`."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=seconds) as line:
        line.sendall(text)
        return receive_all(line)


def receive_all(line):
    received = b""
    try:
        while chunk := line.recv(65536):
            received += chunk
    except (TimeoutError, ConnectionError):
        pass
    return received
