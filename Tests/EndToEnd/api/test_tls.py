"""Tests of TLS: certificates, ciphers, renewal without a restart, and refused certificates."""

import http.client
import pathlib
import shutil
import socket
import ssl
import subprocess
import tempfile
import warnings

import pytest
from cryptography import x509

from support.serving import certificate, serving, tool, wait

pytestmark = pytest.mark.without_models


def shown(port, trusted, highest=None):
    """Returns the serial number of the certificate presented to a client that trusts `trusted`."""
    context = ssl.create_default_context(cafile=str(trusted))
    if highest:
        with warnings.catch_warnings(action="ignore"):
            context.maximum_version = highest
    with socket.create_connection(("127.0.0.1", port), timeout=120) as plain:
        with context.wrap_socket(plain, server_hostname="localhost") as secure:
            return x509.load_der_x509_certificate(secure.getpeercert(binary_form=True)).serial_number


def test_serves_tls_and_reloads_a_new_certificate(server):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        first = certificate(folder)
        files = ("--tls-cert", folder / "cert.pem", "--tls-key", folder / "key.pem")
        with serving(server, *map(str, files)) as secure:
            assert any(line.startswith("Listening on https://") for line in secure.printed), secure.printed
            assert shown(secure.port, folder / "cert.pem") == first
            context = ssl.create_default_context(cafile=str(folder / "cert.pem"))
            connection = http.client.HTTPSConnection("localhost", secure.port, timeout=30, context=context)
            reply = secure.over(connection, "POST", "/v1/checks", {}, token=secure.key)
            connection.close()
            assert reply.status == 201 and "max-age=" in reply.headers["strict-transport-security"], reply.headers
            try:
                shown(secure.port, folder / "cert.pem", ssl.TLSVersion.TLSv1_1)
                raise AssertionError("TLS 1.1 must not be spoken")
            except (ssl.SSLError, ConnectionError):
                pass
            # TLS 1.2 is accepted with forward secrecy only and without CBC. The certificate has an ECDSA key.
            for ciphers, taken in (("ECDHE+AESGCM", True), ("ECDHE+CHACHA20", True), ("ECDHE-ECDSA-AES128-SHA", False),
                                   ("ECDHE-ECDSA-AES256-SHA384", False), ("AES128-SHA:AES128-GCM-SHA256:AES256-SHA256", False)):
                assert is_accepted(secure.port, folder / "cert.pem", ciphers) == taken, ciphers

            # An incomplete or invalid renewal leaves the old certificate in use.
            shutil.copy(folder / "cert.pem", folder / "old.pem")
            (folder / "cert.pem").write_text("-----BEGIN CERTIFICATE-----\nrubbish\n-----END CERTIFICATE-----\n")
            wait("the log to report the invalid certificate", lambda: any("holds no certificate" in line for line in secure.lines))
            assert shown(secure.port, folder / "old.pem") == first
            second = certificate(folder)
            assert wait("the new certificate", lambda: trusted(secure.port, folder / "cert.pem")) == second
            assert secure.stop() == 0
    assert "strict-transport-security" not in server.request("GET", "/").headers, "plain HTTP promises no TLS"


def is_accepted(port, trusted, ciphers):
    """Reports if a TLS 1.2 client with these cipher suites is served."""
    context = ssl.create_default_context(cafile=str(trusted))
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(ciphers + ":@SECLEVEL=0")
    with socket.create_connection(("127.0.0.1", port), timeout=120) as plain:
        try:
            context.wrap_socket(plain, server_hostname="localhost").close()
            return True
        except (ssl.SSLError, ConnectionError):
            return False


def trusted(port, file):
    try:
        return shown(port, file)
    except ssl.SSLError:
        return None


def test_unusable_certificates_are_reported_at_start(server):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        certificate(folder)
        shutil.copy(folder / "key.pem", folder / "other.pem")
        certificate(folder)
        for cert, key, words in (
            ("cert.pem", "other.pem", "is not the one of the first certificate"),
            ("cert.pem", "cert.pem", "no private key"), ("key.pem", "key.pem", "no certificate"),
            ("none.pem", "key.pem", "cannot be read"),
        ):
            ended = subprocess.run(
                [server.binary, "serve", "--port", "0", "--data", str(folder / "data"), "--models", "/nowhere", "--tls-cert",
                 str(folder / cert), "--tls-key", str(folder / key)], capture_output=True, text=True, timeout=300)
            assert ended.returncode != 0 and words in ended.stderr, (cert, key, ended)
            assert "PRIVATE KEY-----\n" not in ended.stderr
    assert "go together" in tool(server, "serve", "--tls-cert", "x", status=64)
