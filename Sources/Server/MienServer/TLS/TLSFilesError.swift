/// Error in the server's certificate files. Equality compares codes only; the error never contains any byte of the key.
public struct TLSFilesError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable {
    fileprivate enum Kind { case unreadable, notACertificate, notAKey, mismatch }
    fileprivate let kind: Kind
    /// A file does not exist or cannot be read.
    public static let unreadable = Code(kind: .unreadable)
    /// The certificate file contains no PEM certificate.
    public static let notACertificate = Code(kind: .notACertificate)
    /// The key file contains no PEM private key, or one with a passphrase.
    public static let notAKey = Code(kind: .notAKey)
    /// The key does not match the first certificate.
    public static let mismatch = Code(kind: .mismatch)
  }

  public let code: Code
  /// Explanation that names the file.
  public let reason: String

  init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  public static func == (left: TLSFilesError, right: TLSFilesError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { reason }
}
