#if canImport(Glibc)
  import Glibc
#endif
import MienAuthenticity
import MienCore
import MienProvenance

/// Smallest image of each kind, and a JPEG with an APP11 segment like that of a manifest store. `scripts/fuzz` adds signed images
/// if the Python tools of the tests are installed.
func seeds() -> [[UInt8]] {
  let superbox: [UInt8] =
    [0, 0, 0, 30] + Array("jumb".utf8) + [0, 0, 0, 22] + Array("jumdc2pa".utf8) + [0, 17, 0, 16]
  let segment: [UInt8] =
    Array("JP".utf8) + [0, 1, 0, 0, 0, 1] + superbox + [0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71, 3, 0x63]
  let length = segment.count + 2
  return [
    [0xFF, 0xD8, 0xFF, 0xEB, UInt8(length >> 8), UInt8(length & 255)] + segment + [0xFF, 0xDA, 0, 2, 0xFF, 0xD9],
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 4] + Array("caBX".utf8) + [1, 2, 3, 4, 0, 0, 0, 0],
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x21, 0xFF, 0x0B] + Array("C2PA_GIF".utf8) + [1, 0, 0, 0, 0x3B],
    Array("RIFF".utf8) + [16, 0, 0, 0] + Array("WEBPC2PA".utf8) + [4, 0, 0, 0, 1, 2, 3, 4],
    [0, 0, 0, 16] + Array("ftypheic".utf8) + [0, 0, 0, 0, 0, 0, 0, 24] + Array("uuid".utf8)
      + [UInt8](repeating: 7, count: 16),
  ]
}

/// Tests the code around the library: it must return, and within the limits, whatever the bytes. The library itself is not
/// instrumented.
private let verifier: ProvenanceVerifier = {
  guard let path = unsafe getenv("MIEN_FUZZ_C2PA") else { fatalError("MIEN_FUZZ_C2PA names no library") }
  var limits = ProvenanceLimits()
  (limits.statuses, limits.entries) = (200, 20)
  do {
    return try ProvenanceVerifier(library: unsafe String(cString: path), trustLists: [], limits: limits) { .zero }
  } catch {
    fatalError("the library cannot be used: \(error)")
  }
}()

func fuzz(_ bytes: [UInt8]) {
  switch verifier.verify(bytes) {
  case .credential(let credential):
    promise(credential.trust != .trusted, "nothing is trusted without a trust list")
    promise(credential.validation.count <= 200, "the number of statuses is limited")
    promise(credential.actions.count <= 20 && credential.ingredients.count <= 20, "the number of entries is limited")
    promise((credential.title ?? "").unicodeScalars.count <= 400, "texts are limited")
  case .elsewhere(let address): promise(!address.isEmpty, "an address is named")
  case .unreadable(let reason): promise(!reason.isEmpty, "a refusal has a reason")
  case .none, .notAssessed: break
  case .notAvailable: promise(false, "the library is there")
  }
}
