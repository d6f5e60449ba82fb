import MienCore
import MienPlatform
import MienWebhooks
import MienTestSupport
import NIOCore
import NIOSSL
import Synchronization
import Testing

@testable import MienServer

/// Resolver that returns the same addresses for every name and records the lookups.
private final class FixedResolver: DNSResolver {
  let found: [InternetAddress]
  let asked = Mutex<[String]>([])

  init(_ found: [[UInt8]]) { self.found = found.compactMap { InternetAddress(bytes: $0) } }

  func addresses(of host: String) async -> [InternetAddress] {
    asked.withLock { $0.append(host) }
    return found
  }
}

/// Resolver that returns a public address for the first lookup and the loopback address from then on.
private final class RebindingResolver: DNSResolver {
  private let asked = Mutex(0)

  func addresses(of host: String) async -> [InternetAddress] {
    let count = asked.withLock { asked in
      asked += 1
      return asked
    }
    return [count == 1 ? [93, 184, 215, 14] : [127, 0, 0, 1]].compactMap { InternetAddress(bytes: $0) }
  }
}

@Suite struct `Webhook transport` {
  private static let body = Array(#"{"a":1}"#.utf8)

  /// Returns a transport with long timeouts for busy machines: other suites run in parallel.
  private func transport(
    _ resolver: (any DNSResolver)? = nil, allowsPrivate: Bool = true, timeout: TimeAmount = .hours(1)
  ) -> HTTPWebhookTransport {
    var transport = HTTPWebhookTransport(allowsPrivate: allowsPrivate)
    transport.limits.connecting = .hours(1)
    transport.limits.whole = timeout
    if let resolver { transport.resolver = resolver }
    return transport
  }

  private func post(_ transport: HTTPWebhookTransport, _ url: String) async -> DeliveryResult {
    await transport.post(WebhookRequest(url: url, headers: [.init("webhook-id", "msg_1")], body: Self.body))
  }

  @Test func `conforms to the webhook transport contract with real sockets`() async throws {
    var targets: [LocalTarget] = []
    try await checkWebhookTransport { conduct in
      let target = try await LocalTarget(conduct)
      targets.append(target)
      let transport = conduct == .hangs ? transport(timeout: .seconds(2)) : transport()
      return (transport, "http://127.0.0.1:\(target.port)/hook?a=%20b")
    }
    for target in targets {
      #expect(target.requests.count <= 1, "one attempt is one request")
      try await target.close()
    }
    let request = try #require(targets.first?.requests.first)
    #expect(request.hasPrefix("POST /hook?a=%20b HTTP/1.1\r\n"))
    #expect(request.contains("\r\nwebhook-id: msg_1\r\n") && request.hasSuffix(#"{"a":1}"#))
  }

  @Test(arguments: [
    "127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.169.254", "0.0.0.0", "224.0.0.1",
    "255.255.255.255", "2130706433", "017700000001", "0177.0.0.1", "0x7f.0.0.1", "0x7f000001", "127.1", "0", "[::1]",
    "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:8.8.8.8]", "[64:ff9b::7f00:1]", "[fd00::1]", "[fe80::1]",
    "[ff02::1]", "[2002:7f00:1::]", "localhost", "LocalHost",
  ]) func `non-public addresses are rejected in every notation`(host: String) async throws {
    let target = try await LocalTarget(.takes)
    for port in ["", ":\(target.port)"] {
      let url = "https://\(host)\(port)/"
      #expect(await post(transport(allowsPrivate: false), url) == .failed(.privateAddress))
      let refused = await #expect(throws: ServiceError.self) { try await transport(allowsPrivate: false).admit(url) }
      #expect(refused?.code == .badValue)
    }
    #expect(target.requests.isEmpty)
    try await target.close()
  }

  @Test func `one private address among public ones is rejected`() async throws {
    for found in [[[93, 184, 215, 14], [10, 0, 0, 1]], [[127, 0, 0, 1], [93, 184, 215, 14]]] as [[[UInt8]]] {
      let transport = transport(FixedResolver(found), allowsPrivate: false)
      #expect(await post(transport, "https://shop.example/") == .failed(.privateAddress))
      await #expect(throws: ServiceError.self) { try await transport.admit("https://shop.example/") }
    }
    let nowhere = transport(FixedResolver([]), allowsPrivate: false)
    #expect(await post(nowhere, "https://shop.example/") == .failed(.noSuchHost))
    let fine = transport(FixedResolver([[93, 184, 215, 14]]), allowsPrivate: false)
    try await fine.admit("https://shop.example/hook")
  }

  @Test func `the connection uses the resolved address and resolves the name once`() async throws {
    let target = try await LocalTarget(.takes)
    let resolver = FixedResolver([[127, 0, 0, 1]])
    let answer = await post(transport(resolver), "http://Pinned.invalid:\(target.port)/")
    #expect(answer == .status(204, retryAfter: nil))
    #expect(resolver.asked.withLock { $0 } == ["Pinned.invalid"])
    let request = try #require(target.requests.first)
    #expect(request.lowercased().contains("\r\nhost: pinned.invalid:\(target.port)\r\n"))
    try await target.close()
  }

  @Test func `a name that resolves to a private address after validation is not contacted`() async throws {
    let target = try await LocalTarget(.takes)
    let transport = transport(RebindingResolver(), allowsPrivate: false)
    let url = "https://rebinding.invalid:\(target.port)/"
    try await transport.admit(url)
    for _ in 0..<3 { #expect(await post(transport, url) == .failed(.privateAddress)) }
    #expect(target.requests.isEmpty)
    try await target.close()
  }

  @Test func `the next address is tried when a connection is refused`() async throws {
    let target = try await LocalTarget(.takes)
    let resolver = FixedResolver([[127, 99, 99, 99], [127, 0, 0, 1]])
    let answer = await post(transport(resolver), "http://pinned.invalid:\(target.port)/")
    #expect(answer == .status(204, retryAfter: nil))
    try await target.close()
  }

  @Test(arguments: [
    "", "hook", "/hook", "http://shop.example/", "ftp://shop.example/", "https://", "https:///hook",
    "https://user@shop.example/", "https://user:word@shop.example/", "https://shop.example/#part",
    "https://shop.example/#%de",
    "https://shop.example:0/", "https://shop.example:65536/", "https://shop.example/a b", "https://shöp.example/",
    "https://shop.example/\r\nX-Header: 1", "https://[fe80::1%25lo]/", "https://shop%2eexample/",
    "https://a@127.0.0.1@shop.example/", "https://" + String(repeating: "a", count: 254) + "/",
    "https://shop.example/" + String(repeating: "a", count: 2048), "unix:///run/x", "http+unix://%2Frun%2Fx/",
  ]) func `an invalid target URL is rejected`(url: String) async throws {
    let transport = transport(FixedResolver([[93, 184, 215, 14]]), allowsPrivate: false)
    #expect(await post(transport, url) == .failed(.badAddress))
    let refused = await #expect(throws: ServiceError.self) { try await transport.admit(url) }
    #expect(refused?.code == .badValue)
  }

  @Test func `the TLS certificate is verified against the name and not the address`() async throws {
    let certificate = try NIOSSLCertificate(bytes: Array(TestCertificate.certificate.utf8), format: .pem)
    let key = try NIOSSLPrivateKey(bytes: Array(TestCertificate.key.utf8), format: .pem)
    let context = try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: [.certificate(certificate)], privateKey: .privateKey(key)))
    let target = try await LocalTarget(.takes, tls: context)
    var transport = transport(FixedResolver([[127, 0, 0, 1]]))
    #expect(await post(transport, "https://hook.test:\(target.port)/") == .failed(.badCertificate), "no attestation")
    var trusting = TLSConfiguration.makeClientConfiguration()
    trusting.trustRoots = .certificates([certificate])
    transport.tls = trusting
    #expect(await post(transport, "https://hook.test:\(target.port)/") == .status(204, retryAfter: nil))
    #expect(await post(transport, "https://other.test:\(target.port)/") == .failed(.badCertificate))
    #expect(target.requests.count == 1)
    try await target.close()
  }

  @Test func `Retry-After is parsed in both forms`() {
    #expect(RetryAfter.read("120") == .interval(.seconds(120)))
    #expect(RetryAfter.read("0") == .interval(.zero))
    let date = UnixTime(milliseconds: 784_111_777_000)
    #expect(RetryAfter.read("Sun, 06 Nov 1994 08:49:37 GMT") == .until(date))
    for text in ["", "-1", "1.5", "soon", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Foo 1994 08:49:37 GMT", "99999999999"] {
      #expect(RetryAfter.read(text) == nil)
    }
  }
}

/// Untrusted certificate for `hook.test` with its key, valid from 2020 to 2120.
private enum TestCertificate {
  static let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBQjCB6KADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWhvb2sudGVz
    dDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFDESMBAGA1UEAwwJ
    aG9vay50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEjBCiCkMqibyFqjCj
    hWxaVZ1yvSgB4MrNX0R81xPk4sg6DGWhAEBZ8VsNOSccnVSVqYicgjBjMR6jDR1j
    qHPzqKMpMCcwFAYDVR0RBA0wC4IJaG9vay50ZXN0MA8GA1UdEwEB/wQFMAMBAf8w
    CgYIKoZIzj0EAwIDSQAwRgIhAJ7RnaJXOXwBvRVQLwx1/r2btiEx27oFSfsAFvHT
    V837AiEAw1p068NDuJQV7RLZOBiEiPzGtOIttVOJK9E5y2C0lUA=
    -----END CERTIFICATE-----
    """
  static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgfTTD0qIpit50Obw1
    h/cTwb6+RXk6t6V5mnHK3dCDzEWhRANCAASMEKIKQyqJvIWqMKOFbFpVnXK9KAHg
    ys1fRHzXE+TiyDoMZaEAQFnxWw05JxydVJWpiJyCMGMxHqMNHWOoc/Oo
    -----END PRIVATE KEY-----
    """
}
