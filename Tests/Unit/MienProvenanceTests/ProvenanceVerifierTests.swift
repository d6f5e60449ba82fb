import Foundation
import MienAuthenticity
import MienCore
import Synchronization
import Testing

@testable import MienProvenance

/// Limits of the verification, and what it makes of files without a credential. End-to-end tests verify signed files.
@Suite struct `Verification of content credentials` {
  private static let library =
    (ProcessInfo.processInfo.environment["MIEN_PARTS"] ?? ".mien") + "/c2pa/" + C2PALibrary.fileName

  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 0xFF, 0xD9]

  /// A comment segment with a word that occurs in credentials.
  private static let marked: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xFE, 0, 6] + Array("c2pa".utf8) + [0xFF, 0xDA, 0, 2, 0xFF, 0xD9]

  /// Certificate-shaped PEM: one DER sequence of 200 bytes.
  private static let anchor: String = {
    let bytes = Data([0x30, 0x81, 200] + [UInt8](repeating: 5, count: 200))
    return "-----BEGIN CERTIFICATE-----\n\(bytes.base64EncodedString())\n-----END CERTIFICATE-----\n"
  }()

  private static func verifier(
    _ limits: ProvenanceLimits = ProvenanceLimits(), clock: @escaping @Sendable () -> MonotonicInstant = { .zero }
  ) throws -> ProvenanceVerifier {
    try ProvenanceVerifier(library: library, trustLists: [], limits: limits, clock: clock)
  }

  @Test func `a file without a manifest store has no credential`() throws {
    let verifier = try Self.verifier()
    #expect(verifier.verify(Self.jpeg) == .none)
    #expect(verifier.verify(Self.marked) == .none)
    #expect(verifier.version.hasPrefix("0."))
  }

  @Test func `other content is not passed to the library`() throws {
    let verifier = try Self.verifier()
    for bytes in [[], [0xFF], Array("%PDF-1.7".utf8), Array("PK\u{3}\u{4}".utf8), Array("RIFF1234WAVE".utf8)] {
      #expect(verifier.verify(bytes) == .notAssessed(.unsupported))
    }
  }

  @Test func `a mark anywhere in a file passes it to the library`() throws {
    let box: [UInt8] = [0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81]
    let marks = ["jumb", "c2pa", "caBX", "C2PA", "provenance", "iTXt"].map { Array($0.utf8) } + [box]
    for mark in marks {
      for place in [4, 500, 1000] {
        var bytes = Self.jpeg + [UInt8](repeating: 0x41, count: 1000)
        bytes.insert(contentsOf: mark, at: place)
        #expect(ProvenanceVerifier.outcomeWithoutLibrary(of: bytes) == nil, "\(mark) at \(place)")
        bytes.remove(at: place + 1)
        #expect(ProvenanceVerifier.outcomeWithoutLibrary(of: bytes) == ProvenanceOutcome.none, "\(mark), cut")
      }
    }
  }

  @Test func `bytes and time are limited`() throws {
    var limits = ProvenanceLimits()
    limits.bytes = Self.jpeg.count - 1
    #expect(try Self.verifier(limits).verify(Self.jpeg) == .notAssessed(.tooLarge))
    let seconds = Mutex(0.0)
    let late = try Self.verifier(clock: {
      seconds.withLock { seconds in
        seconds += 11
        return MonotonicInstant(seconds: seconds) ?? .zero
      }
    })
    #expect(late.verify(Self.marked) == .notAssessed(.tooSlow))
  }

  @Test func `a missing or unusable library is an error with its reason`() {
    let missing = #expect(throws: ProvenanceLibraryError.self) {
      try ProvenanceVerifier(library: "/nowhere.so", trustLists: []) { .zero }
    }
    #expect(missing?.code == .missing)
    let other = #expect(throws: ProvenanceLibraryError.self) {
      try ProvenanceVerifier(library: "Package.swift", trustLists: []) { .zero }
    }
    #expect(other?.code == .unusable)
  }

  @Test func `trust lists consist of whole certificates`() {
    #expect(TrustList.problem(in: Self.anchor) == nil)
    #expect(TrustList.problem(in: "a comment\n" + Self.anchor + Self.anchor) == nil)
    for text in ["", "no certificate", String(Self.anchor.prefix(100)), Self.anchor.replacing("MIHI", with: "NIHI")] {
      #expect(TrustList.problem(in: text) != nil, "\(text.prefix(40))")
    }
  }
}
