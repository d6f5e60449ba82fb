/// Result of reading the provenance of a file: the content credential (C2PA) in it, or the reason why there is none to
/// show.
///
/// A credential states who signed which statements about a file. It is not evidence for or against a genuine photo: a file
/// without one is not suspect, and a signed photo can show a screen.
public enum ProvenanceOutcome: Hashable, Sendable {
  /// The file contains a manifest store, whatever its validation found.
  case credential(ContentCredential)
  /// The file contains no manifest store.
  case none
  /// The file refers to a manifest store at this address, which was not fetched: a verification uses no network.
  case elsewhere(String)
  /// The file contains a manifest store that cannot be read; with the library's message.
  case unreadable(String)
  case notAssessed(Obstacle)
  /// The C2PA library is not installed.
  case notAvailable

  /// Reason why a file was not examined completely.
  public enum Obstacle: String, Codable, Hashable, Sendable, CaseIterable {
    /// The file, or the content of its manifest store, exceeds a limit.
    case tooLarge = "too-large"
    /// The time limit was reached.
    case tooSlow = "too-slow"
    /// The file has a format whose credentials are not supported.
    case unsupported
    /// The process that reads the file ended before it had a result.
    case failed
  }

  /// The credential; `nil` if there is none.
  public var credential: ContentCredential? { if case .credential(let credential) = self { credential } else { nil } }
}

extension ProvenanceOutcome: Codable {
  private enum Status: String, Codable {
    case credential, none, elsewhere, unreadable
    case notAssessed = "not-assessed"
    case notAvailable = "not-available"
  }

  private enum CodingKeys: String, CodingKey { case status, credential, address, reason }

  private var status: Status {
    switch self {
    case .credential: .credential
    case .none: .none
    case .elsewhere: .elsewhere
    case .unreadable: .unreadable
    case .notAssessed: .notAssessed
    case .notAvailable: .notAvailable
    }
  }

  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    switch try box.decode(Status.self, forKey: .status) {
    case .credential: self = .credential(try box.decode(ContentCredential.self, forKey: .credential))
    case .none: self = .none
    case .elsewhere: self = .elsewhere(try box.decode(String.self, forKey: .address))
    case .unreadable: self = .unreadable(try box.decode(String.self, forKey: .reason))
    case .notAssessed: self = .notAssessed(try box.decode(Obstacle.self, forKey: .reason))
    case .notAvailable: self = .notAvailable
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: CodingKeys.self)
    try box.encode(status, forKey: .status)
    switch self {
    case .credential(let credential): try box.encode(credential, forKey: .credential)
    case .elsewhere(let address): try box.encode(address, forKey: .address)
    case .unreadable(let reason): try box.encode(reason, forKey: .reason)
    case .notAssessed(let obstacle): try box.encode(obstacle, forKey: .reason)
    case .none, .notAvailable: break
    }
  }
}
