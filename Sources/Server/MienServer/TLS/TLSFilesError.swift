/// Why the server's certificate cannot be used. Equal by code; never carries a byte of the key.
public struct TLSFilesError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable {
    fileprivate enum Kind { case unreadable, notACertificate, notAKey, mismatch }
    fileprivate let kind: Kind
    /// A file is not there or may not be read.
    public static let unreadable = Code(kind: .unreadable)
    /// The certificate's file holds no certificate in PEM.
    public static let notACertificate = Code(kind: .notACertificate)
    /// The key's file holds no private key in PEM, or one under a passphrase.
    public static let notAKey = Code(kind: .notAKey)
    /// The key is not the one of the first certificate.
    public static let mismatch = Code(kind: .mismatch)
  }

  public let code: Code
  /// What is wrong with which file, and what to do.
  public let reason: String

  init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  public static func == (left: TLSFilesError, right: TLSFilesError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { reason }
}
