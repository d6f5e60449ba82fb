internal import Foundation

/// Work for ``ProvenanceWorker``: a file to verify, with the trust lists to verify it with.
///
/// Encoded as the length of the JSON in four bytes, most significant first, the JSON, and the file.
struct ProvenanceRequest: Equatable {
  struct Settings: Codable, Equatable {
    /// Path of the C2PA library.
    let library: String
    /// Contents of files with trust anchors in PEM.
    let trustLists: [String]
  }

  let settings: Settings
  let file: [UInt8]

  init(_ settings: Settings, file: [UInt8]) {
    (self.settings, self.file) = (settings, file)
  }

  /// Returns the request in a form that ``init(encoded:)`` reads.
  func encoded() throws -> [UInt8] {
    let json = try JSONEncoder().encode(settings)
    return (0..<4).map { UInt8(truncatingIfNeeded: json.count >> (24 - 8 * $0)) } + json + file
  }

  /// - Throws: `DecodingError` for other bytes.
  init(encoded bytes: [UInt8]) throws {
    let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard bytes.count >= 4, bytes.count - 4 >= length else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "the request is cut short"))
    }
    settings = try JSONDecoder().decode(Settings.self, from: Data(bytes[4..<4 + length]))
    file = Array(bytes[(4 + length)...])
  }
}
