internal import Foundation
internal import MienFiles
package import MienProvenance

/// Settings of the verification of content credentials: the trust lists that an operator names.
package struct ProvenanceSettings: Sendable {
  /// Paths of files with trust anchors, certificates in PEM.
  private let trustLists: [String]
  private let library: String

  package init(trustLists: [String] = [], library: String = AssetLocation.provenanceLibrary) {
    self.trustLists = trustLists
    self.library = library
  }

  /// Returns the verifier.
  ///
  /// - Throws: ``ProvenanceLibraryError`` if the library is missing or unusable, which a server can do without;
  ///   ``OperationError`` for an unusable trust list.
  package func verifier() throws -> ProvenanceVerifier {
    let lists = try trustLists.map { path in
      guard let bytes = FileManager.default.contents(atPath: path) else {
        throw OperationError("--provenance-trust: \(path) cannot be read.")
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    do {
      return try ProvenanceVerifier(library: library, trustLists: lists, clock: SystemClock().now)
    } catch {
      guard error.code == .badTrustList else { throw error }
      throw OperationError("--provenance-trust \(trustLists.joined(separator: ", ")): \(error.reason)")
    }
  }
}
