internal import MienCore
internal import Crypto
internal import Foundation
public import MienPlatform
internal import SwiftASN1
internal import X509

/// Error for unusable App Attest settings.
public struct AppAttestSettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable {
    fileprivate enum Kind { case badRoot, badTime, badApp }
    fileprivate let kind: Kind

    /// The file contains no root certificate, or one that no attestation can chain to.
    public static let badRoot = Code(kind: .badRoot)
    /// A root certificate is not valid yet, or has expired.
    public static let badTime = Code(kind: .badTime)
    /// The text is not a valid app ID.
    public static let badApp = Code(kind: .badApp)
  }

  public let code: Code
  /// Description of the problem and its solution.
  public let reason: String

  init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  public static func == (left: AppAttestSettingsError, right: AppAttestSettingsError) -> Bool {
    left.code == right.code
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { reason }
}

/// Trusted root certificates and accepted apps for App Attest.
public struct AppAttestSettings: Sendable {
  let roots: [Certificate]
  /// SHA-256 of each app ID, which WebAuthn calls the RP ID hash.
  let apps: Set<[UInt8]>
  let allowsDevelopment: Bool

  /// Creates settings.
  ///
  /// - Parameters:
  ///   - rootPEM: Root certificates in PEM; attestations must chain to one of them.
  ///   - apps: `TEAMID1234.com.example.app`, one or more.
  ///   - allowsDevelopment: `true` to accept attestations of Apple's development environment as well.
  ///   - time: Time at which the roots must be valid.
  /// - Throws: ``AppAttestSettingsError``.
  public init(rootPEM: String, apps: [String], allowsDevelopment: Bool, at time: UnixTime) throws {
    roots = try Self.roots(rootPEM, at: time)
    guard !apps.isEmpty else {
      throw AppAttestSettingsError(.badApp, "No app ID is given. Give one such as TEAMID1234.com.example.app.")
    }
    for app in apps where !Self.isApp(app) {
      throw AppAttestSettingsError(
        .badApp, "\(app) is not an app ID: a team ID of 10 letters and digits, a dot, and a bundle ID.")
    }
    self.apps = Set(apps.map { Array(SHA256.hash(data: Array($0.utf8))) })
    self.allowsDevelopment = allowsDevelopment
  }

  private static func roots(_ text: String, at time: UnixTime) throws -> [Certificate] {
    let found: [Certificate]
    do {
      found = try PEMDocument.parseMultiple(pemString: text).map { try Certificate(pemDocument: $0) }
    } catch {
      throw AppAttestSettingsError(.badRoot, "The file is not a certificate in PEM, or contains something else.")
    }
    guard !found.isEmpty else { throw AppAttestSettingsError(.badRoot, "The file contains no certificate in PEM.") }
    for root in found {
      guard root.issuer == root.subject, root.isAuthority, CertificateChain.isTrusted(root.publicKey) else {
        throw AppAttestSettingsError(
          .badRoot, "A certificate in the file is not a root: a self-issued authority with a key on P-256 or P-384.")
      }
      guard root.isValid(at: time) else {
        throw AppAttestSettingsError(.badTime, "A root certificate in the file is not valid yet, or has expired.")
      }
    }
    return found
  }

  /// Reports whether a text consists of a team ID prefix and a bundle identifier in the form that Apple uses.
  static func isApp(_ text: String) -> Bool {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 10, (1...155).contains(parts[1].utf8.count) else { return false }
    let others = [UInt8(ascii: "."), UInt8(ascii: "-")]
    return parts[0].utf8.allSatisfy(\.isASCIILetterOrDigit)
      && parts[1].utf8.allSatisfy { $0.isASCIILetterOrDigit || others.contains($0) }
  }
}
