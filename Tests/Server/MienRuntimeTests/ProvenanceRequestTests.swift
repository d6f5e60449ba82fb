import Foundation
import MienAuthenticity
import Testing

@testable import MienRuntime

/// Requests to the process that verifies a file, and the sealed key.
@Suite struct `Content credentials of the server` {
  @Test func `a request survives its encoding`() throws {
    let settings = ProvenanceRequest.Settings(library: "/a/libc2pa_c.so", trustLists: ["ä\n", ""])
    for file: [UInt8] in [[], [0], [UInt8](repeating: 0xFF, count: 300)] {
      let request = ProvenanceRequest(settings, file: file)
      #expect(try ProvenanceRequest(encoded: request.encoded()) == request)
    }
  }

  @Test func `a truncated request is rejected`() throws {
    let whole = try ProvenanceRequest(.init(library: "", trustLists: []), file: []).encoded()
    for count in [0, 3, 4, whole.count - 1] {
      #expect(throws: DecodingError.self) { try ProvenanceRequest(encoded: Array(whole.prefix(count))) }
    }
    #expect(throws: DecodingError.self) { try ProvenanceRequest(encoded: [UInt8](repeating: 0xFF, count: 9)) }
  }

  @Test func `no process is started for a file without marks of a credential`() async {
    let process = ProvenanceProcess(settings: .init(library: "", trustLists: []), program: ("/nowhere", "none"))
    #expect(await process.verify([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: 9000)) == ProvenanceOutcome.none)
    #expect(await process.verify([1, 2, 3]) == .notAssessed(.unsupported))
    #expect(await process.verify([0xFF, 0xD8, 0xFF] + Array("jumb".utf8)) == .notAssessed(.failed))
  }

  @Test func `a process that ends before it has read its file is a failed verification`() async {
    // As a server's sockets have it.
    _ = signal(SIGPIPE, SIG_IGN)
    let file = [0xFF, 0xD8, 0xFF] + Array("c2pa".utf8) + [UInt8](repeating: 0xFF, count: 4 << 20)
    for name in ["true", "false"] {
      let process = ProvenanceProcess(settings: .init(library: "", trustLists: []), program: ("/bin", name))
      #expect(await process.verify(file) == .notAssessed(.failed))
    }
  }
}
