internal import Foundation

/// Statement that is signed about a file.
public struct SignedStatement: Hashable, Sendable {
  /// Relation of the program to the file.
  enum Event: Hashable, Sendable {
    /// The program made the file; with the last component of an IPTC digital source type.
    case created(sourceType: String)
    /// The file was received at this time (RFC 3339). Nothing is stated about its origin.
    case received(String)
  }

  let title: String
  let event: Event
  /// Version of the program.
  let version: String

  /// Returns the statement that the program made a file.
  ///
  /// - Parameters:
  ///   - sourceType: last component of an IPTC digital source type, such as `algorithmicMedia`.
  ///   - version: version of the program.
  public static func created(title: String, sourceType: String, version: String) -> SignedStatement {
    SignedStatement(title: title, event: .created(sourceType: sourceType), version: version)
  }

  /// Returns the statement that a file was received, which says nothing about its origin.
  ///
  /// - Parameters:
  ///   - time: time of the reception, RFC 3339.
  ///   - version: version of the program.
  public static func received(title: String, at time: String, version: String) -> SignedStatement {
    SignedStatement(title: title, event: .received(time), version: version)
  }

  /// Name of the action for a received file: C2PA 2.x defines none, and custom names need a prefix of their own.
  static let reception = "mien.received"

  /// Returns the manifest's definition as the library reads it.
  func definition() throws(ProvenanceSigningError) -> String {
    struct Definition: Encodable {
      struct Generator: Encodable {
        let name = "Mien"
        let version: String
      }
      struct Assertion: Encodable {
        struct Actions: Encodable { let actions: [[String: String]] }
        let label = "c2pa.actions.v2"
        let data: Actions
      }
      let title: String
      let claim_generator_info: [Generator]
      let assertions: [Assertion]
    }
    let action =
      switch event {
      case .created(let sourceType):
        [
          "action": "c2pa.created",
          "digitalSourceType": "http://cv.iptc.org/newscodes/digitalsourcetype/" + sourceType,
        ]
      // The library adds `c2pa.opened` for the file that was received.
      case .received(let time): ["action": Self.reception, "when": time]
      }
    let definition = Definition(
      title: title, claim_generator_info: [Definition.Generator(version: version)],
      assertions: [Definition.Assertion(data: .init(actions: [action]))])
    do {
      return String(decoding: try JSONEncoder().encode(definition), as: UTF8.self)
    } catch {
      throw ProvenanceSigningError("the statement cannot be encoded: \(error)")
    }
  }
}
