internal import Foundation
public import MienAuthenticity
public import MienCore

/// Limits of a verification.
public struct ProvenanceLimits: Hashable, Sendable {
  /// Maximum size of a file, in bytes.
  public var bytes = 64 << 20
  /// Maximum size of what the library reports about a file, in bytes.
  public var reportBytes = 16 << 20
  /// Maximum number of statuses of the validation.
  public var statuses = 1000
  /// Maximum number of actions, of ingredients, and of manifests.
  public var entries = 256
  /// Time limit.
  public var time = Interval.seconds(10)

  public init() {}
}

/// Verifies content credentials (C2PA) with the reference library.
///
/// A verification uses no network: remote manifests and OCSP responses are not fetched, and requests that the library
/// makes all the same are refused. Trust in signers comes from the trust lists alone.
@safe public struct ProvenanceVerifier: Sendable {
  private let library: C2PALibrary
  private let settings: String
  private let limits: ProvenanceLimits
  private let clock: @Sendable () -> MonotonicInstant

  /// Version of the library.
  public var version: String { library.version }

  /// Loads the library.
  ///
  /// - Parameters:
  ///   - path: path of the library's file.
  ///   - trustLists: contents of files with trust anchors, certificates in PEM.
  ///   - clock: returns the time, for the time limit.
  /// - Throws: ``ProvenanceLibraryError``.
  public init(
    library path: String, trustLists: [String], limits: ProvenanceLimits = ProvenanceLimits(),
    clock: @escaping @Sendable () -> MonotonicInstant
  ) throws(ProvenanceLibraryError) {
    library = try C2PALibrary(path: path)
    self.limits = limits
    self.clock = clock
    for list in trustLists {
      if let problem = TrustList.problem(in: list) { throw ProvenanceLibraryError(.badTrustList, reason: problem) }
    }
    do {
      settings = String(
        decoding: try JSONEncoder().encode(VerificationSettings(anchors: trustLists.joined(separator: "\n"))),
        as: UTF8.self)
    } catch {
      throw ProvenanceLibraryError(.badTrustList, reason: "a trust list is not text")
    }
    let probe = unsafe library.newSettings()
    defer { unsafe library.free(probe) }
    guard unsafe library.updateSettings(probe, settings, "json") == 0 else {
      throw ProvenanceLibraryError(.badTrustList, reason: library.lastError)
    }
  }

  /// Returns the provenance of a file if the library is not needed to determine it: for a file that is too large, has an
  /// unsupported format, or has no mark of a credential. Returns `nil` for all others.
  public static func outcomeWithoutLibrary(
    of bytes: [UInt8], limits: ProvenanceLimits = ProvenanceLimits()
  ) -> ProvenanceOutcome? {
    guard bytes.count <= limits.bytes else { return .notAssessed(.tooLarge) }
    guard MediaType.sniff(bytes) != nil else { return .notAssessed(.unsupported) }
    return CredentialMarks.occur(in: bytes) ? nil : ProvenanceOutcome.none
  }

  /// Returns the provenance of a file. The call blocks; make it on a worker thread.
  public func verify(_ bytes: [UInt8]) -> ProvenanceOutcome {
    if let outcome = Self.outcomeWithoutLibrary(of: bytes, limits: limits) { return outcome }
    guard let type = MediaType.sniff(bytes) else { return .notAssessed(.unsupported) }
    return unsafe bytes.withUnsafeBytes { bytes in
      let run = unsafe VerificationRun(bytes, deadline: clock() + limits.time, clock: clock)
      // The library keeps no reference after the call, but the optimizer may release an object after its last use.
      return withExtendedLifetime(run) { outcome(of: run, type) }
    }
  }

  private func outcome(of run: VerificationRun, _ type: MediaType) -> ProvenanceOutcome {
    guard let context = unsafe context(for: run) else { return .unreadable(library.lastError.bounded) }
    defer { unsafe library.free(context) }
    let stream = unsafe library.newStream(
      run.context, VerificationRun.read, VerificationRun.seek, VerificationRun.write, VerificationRun.flush)
    defer { unsafe library.releaseStream(stream) }
    guard let reader = unsafe library.readStream(library.newReader(context), type.rawValue, stream) else {
      return failure(library.lastError, isLate: run.isLate)
    }
    defer { unsafe library.free(reader) }
    guard !run.isLate else { return .notAssessed(.tooSlow) }
    guard let text = unsafe library.take(library.json(reader), limit: limits.reportBytes) else {
      return .notAssessed(.tooLarge)
    }
    do {
      let report = try JSONDecoder().decode(ManifestStoreReport.self, from: Data(text.utf8))
      guard let credential = report.credential(limits: limits, library: library.version) else {
        return .notAssessed(.tooLarge)
      }
      return .credential(credential)
    } catch {
      return .unreadable("The library's report has an unexpected form.")
    }
  }

  /// Returns a new context for one verification; the caller frees it.
  @unsafe private func context(for run: VerificationRun) -> C2PALibrary.Handle? {
    let values = unsafe library.newSettings()
    defer { unsafe library.free(values) }
    guard unsafe library.updateSettings(values, settings, "json") == 0 else { return nil }
    let builder = unsafe library.newContextBuilder()
    guard unsafe library.setSettings(builder, values) == 0,
      unsafe library.setProgress(builder, run.context, VerificationRun.progress) == 0,
      unsafe library.setResolver(builder, library.newResolver(run.context, VerificationRun.fetch)) == 0
    else {
      unsafe library.free(builder)
      return nil
    }
    return unsafe library.buildContext(builder)
  }

  /// Maps an error message of the library to an outcome. Messages begin with the name of the error.
  private func failure(_ message: String, isLate: Bool) -> ProvenanceOutcome {
    if isLate { return .notAssessed(.tooSlow) }
    if message.hasPrefix("ManifestNotFound") { return .none }
    if let address = message.range(of: "must fetch remote manifests from url ") {
      return .elsewhere(String(message[address.upperBound...]).bounded)
    }
    return .unreadable(message.bounded)
  }
}

/// Settings of the library for a verification: no network, and trust in the given anchors only.
private struct VerificationSettings: Encodable {
  struct Trust: Encodable {
    let anchors: String?

    enum CodingKeys: String, CodingKey { case anchors = "user_anchors" }
  }

  struct Verify: Encodable {
    let trust = true
    let timestampTrust = true
    let remoteManifests = false
    let ocsp = false

    enum CodingKeys: String, CodingKey {
      case trust = "verify_trust"
      case timestampTrust = "verify_timestamp_trust"
      case remoteManifests = "remote_manifest_fetch"
      case ocsp = "ocsp_fetch"
    }
  }

  struct Core: Encodable {
    /// Identity assertions (CAWG) refer to documents on the network.
    let identityAssertions = false
    let redirects = false
    /// A compressed manifest may claim any size.
    let decompressedMegabytes = 16

    enum CodingKeys: String, CodingKey {
      case identityAssertions = "decode_identity_assertions"
      case redirects = "allow_redirects"
      case decompressedMegabytes = "max_decompressed_manifest_size_in_mb"
    }
  }

  let trust: Trust
  let verify = Verify()
  let core = Core()

  init(anchors: String) { trust = Trust(anchors: anchors.isEmpty ? nil : anchors) }
}

/// Formats of images whose credentials are read, detected by their first bytes.
///
/// The library reads many more formats, such as archives and documents; they are not passed to it.
enum MediaType: String, CaseIterable {
  case jpeg = "image/jpeg"
  case png = "image/png"
  case gif = "image/gif"
  case webp = "image/webp"
  case heif = "image/heif"
  case avif = "image/avif"

  /// Returns the format that `bytes` begin with; `nil` for another.
  static func sniff(_ bytes: [UInt8]) -> MediaType? {
    func holds(_ text: StaticString, at offset: Int) -> Bool {
      text.withUTF8Buffer { text in unsafe bytes.dropFirst(offset).starts(with: text) }
    }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if holds("GIF87a", at: 0) || holds("GIF89a", at: 0) { return .gif }
    if holds("RIFF", at: 0), holds("WEBP", at: 8) { return .webp }
    guard holds("ftyp", at: 4) else { return nil }
    if holds("avif", at: 8) || holds("avis", at: 8) { return .avif }
    let brands: [StaticString] = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
    return brands.contains { holds($0, at: 8) } ? .heif : nil
  }
}

/// Trust anchors in PEM (RFC 7468). The library accepts any text and ignores what it cannot parse, so a damaged file
/// would silently trust no signer.
enum TrustList {
  private static let begin = "-----BEGIN CERTIFICATE-----"
  private static let end = "-----END CERTIFICATE-----"

  /// Returns the reason why a list cannot be used; `nil` if it consists of at least one certificate.
  static func problem(in text: String) -> String? {
    let parts = text.split(separator: begin, omittingEmptySubsequences: false).dropFirst()
    guard !parts.isEmpty else { return "a trust list contains no certificate in PEM" }
    for part in parts {
      guard let stop = part.range(of: end),
        let bytes = Data(base64Encoded: String(part[..<stop.lowerBound]), options: .ignoreUnknownCharacters),
        isSequence([UInt8](bytes))
      else { return "a certificate of a trust list is damaged" }
    }
    return nil
  }

  /// Returns `true` for exactly one DER sequence (X.690, definite long form), which a certificate is.
  private static func isSequence(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 4, bytes[0] == 0x30, bytes[1] == 0x81 || bytes[1] == 0x82 else { return false }
    let digits = Int(bytes[1] & 0x7F)
    let length = bytes[2..<2 + digits].reduce(0) { $0 << 8 | Int($1) }
    return bytes.count == 2 + digits + length
  }
}
