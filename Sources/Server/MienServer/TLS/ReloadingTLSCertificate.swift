internal import Foundation
internal import NIOCore
internal import NIOSSL
internal import Synchronization

/// Server certificate loaded from two PEM files, and reloaded when they change, so that a renewal needs no restart.
/// Existing connections keep their certificate.
public final class ReloadingTLSCertificate: Sendable {
  private struct Pair: Sendable {
    let chain: [NIOSSLCertificateSource]
    let key: NIOSSLPrivateKeySource
  }

  /// File attributes that change when a file is rewritten or replaced.
  private struct FileVersions: Hashable, Sendable {
    let number: UInt64
    let size: UInt64
    let changed: Double
  }

  private let certificate: String
  private let key: String
  private let pair: Mutex<Pair>
  /// Attributes at the last check, so that invalid files are reported once.
  private let seen: Mutex<[FileVersions?]>

  /// Reads both files.
  ///
  /// - Parameters:
  ///   - certificate: path of the certificate chain, with the server's certificate first, then the intermediate ones.
  ///   - key: path of the private key, without a passphrase.
  /// - Throws: ``TLSFilesError``.
  public init(certificate: String, key: String) throws {
    self.certificate = certificate
    self.key = key
    seen = Mutex([certificate, key].map(Self.stamp))
    pair = Mutex(try Self.read(certificate: certificate, key: key))
  }

  /// Reloads the files if they have changed. Unusable files leave the previous certificate in place.
  ///
  /// - Returns: `true` if a new certificate is used from now on.
  /// - Throws: ``TLSFilesError``, once for each state of the files.
  public func refresh() throws -> Bool {
    let stamps = [certificate, key].map(Self.stamp)
    let isNew = seen.withLock { seen in
      defer { seen = stamps }
      return seen != stamps
    }
    guard isNew else { return false }
    let read = try Self.read(certificate: certificate, key: key)
    pair.withLock { $0 = read }
    return true
  }

  /// TLS 1.2 or later, with the certificate that is current when a connection begins.
  var configuration: TLSConfiguration {
    let first = pair.withLock { $0 }
    var configuration = Self.configuration(first)
    configuration.sslContextCallback = { [self] _, promise in
      let now = pair.withLock { $0 }
      var override = NIOSSLContextConfigurationOverride()
      override.certificateChain = now.chain
      override.privateKey = now.key
      promise.succeed(override)
    }
    return configuration
  }

  private static func configuration(_ pair: Pair) -> TLSConfiguration {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: pair.chain, privateKey: pair.key)
    configuration.minimumTLSVersion = .tlsv12
    // For TLS 1.2, only cipher suites with forward secrecy and authenticated encryption; TLS 1.3 has no others.
    configuration.cipherSuiteValues = [
      .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
      .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
      .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]
    configuration.applicationProtocols = ["http/1.1"]
    return configuration
  }

  private static func read(certificate: String, key: String) throws -> Pair {
    let (text, secretText) = (try bytes(certificate), try bytes(key))
    guard let chain = try? NIOSSLCertificate.fromPEMBytes(text), !chain.isEmpty else {
      throw TLSFilesError(
        .notACertificate, "\(certificate) holds no certificate in PEM (-----BEGIN CERTIFICATE-----).")
    }
    guard let secret = try? NIOSSLPrivateKey(bytes: secretText, format: .pem) else {
      throw TLSFilesError(
        .notAKey, "\(key) holds no private key in PEM without a passphrase (-----BEGIN PRIVATE KEY-----).")
    }
    let pair = Pair(chain: chain.map { .certificate($0) }, key: .privateKey(secret))
    do {
      _ = try NIOSSLContext(configuration: configuration(pair))
    } catch {
      throw TLSFilesError(.mismatch, "The key in \(key) is not the one of the first certificate in \(certificate).")
    }
    return pair
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    do {
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw TLSFilesError(.unreadable, "\(path) cannot be read. Check that it is there and readable for the server.")
    }
  }

  private static func stamp(_ path: String) -> FileVersions? {
    // The target of a link: tools that renew certificates redirect a link to another file.
    let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard let found = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
    return FileVersions(
      number: (found[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0,
      size: (found[.size] as? NSNumber)?.uint64Value ?? 0,
      changed: (found[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0)
  }
}

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
