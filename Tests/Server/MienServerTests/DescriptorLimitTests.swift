import Foundation
import HTTPTypes
import Hummingbird
import Logging
import MienPlatform
import NIOCore
import Testing

@testable import MienServer

@Suite struct `Descriptor limits` {
  @Test func `the connection limit leaves descriptors for files`() {
    let limit = DescriptorLimit(soft: 1024, hard: 4096)
    #expect(limit.reserve == 256 && limit.isLow)
    #expect(limit.connections(wanted: 10_000, open: 68) == 700)
    #expect(limit.connections(wanted: 50, open: 68) == 50)
    #expect(DescriptorLimit(soft: 80, hard: 80).connections(wanted: 10_000, open: 50) == 6)
    #expect(DescriptorLimit(soft: 60, hard: 60).connections(wanted: 10_000, open: 50) <= 0)
    #expect(DescriptorLimit(soft: 1 << 20, hard: .max).connections(wanted: 10_000, open: 100) == 10_000)
  }

  @Test func `the process limit is reported`() throws {
    let limit = try #require(DescriptorLimit.current)
    #expect(limit.soft > 0 && limit.soft <= limit.hard)
    #if os(Linux)
      #expect(try #require(DescriptorLimit.openCount) > 2)
    #endif
  }

  @Test func `descriptor exhaustion is distinguished from other errors`() {
    #expect(Descriptors.areExhausted(IOError(errnoCode: EMFILE, reason: "open")))
    #expect(Descriptors.areExhausted(POSIXError(.ENFILE)))
    #expect(!Descriptors.areExhausted(IOError(errnoCode: ENOENT, reason: "open")))
    #expect(!Descriptors.areExhausted(CancellationError()))
    let problem = ProblemDetails.error(IOError(errnoCode: EMFILE, reason: "open"), Logger(label: "test"))
    #expect(problem.code == .busy && problem.retryAfter == 1)
  }

  @Test func `an untrusted proxy with many clients is reported once`() {
    let monitor = UnnamedProxies(logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    func request(_ client: String) -> Request {
      Request(
        head: HTTPRequest(
          method: .get, scheme: nil, authority: "x", path: "/", headerFields: [.forwardedFor: client]),
        body: RequestBody(buffer: ByteBuffer()))
    }
    let proxies = TrustedProxies(["10.0.0.254"]) ?? TrustedProxies()
    let found = (0..<60).map { monitor.observe(request("198.51.100.\($0)"), from: "10.0.0.1", proxies: proxies) }
    #expect(found.count(where: \.self) == 1)
    for peer in ["10.0.0.254", "127.0.0.1"] {
      #expect((0..<60).allSatisfy { !monitor.observe(request("198.51.100.\($0)"), from: peer, proxies: proxies) })
    }
    #expect((0..<60).allSatisfy { _ in !monitor.observe(request("198.51.100.1"), from: "10.0.0.2", proxies: proxies) })
  }
}
