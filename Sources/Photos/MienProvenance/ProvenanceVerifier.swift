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
      throw ProvenanceLibraryError(.badTrustList, reason: "a trust list is no text")
    }
    let probe = unsafe library.newSettings()
    defer { unsafe library.free(probe) }
    guard unsafe library.updateSettings(probe, settings, "json") == 0 else {
      throw ProvenanceLibraryError(.badTrustList, reason: library.lastError)
    }
  }

  /// Returns the provenance of a file. The call blocks; make it on a worker thread.
  public func verify(_ bytes: [UInt8]) -> ProvenanceOutcome {
    guard bytes.count <= limits.bytes else { return .notAssessed(.tooLarge) }
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
      return .unreadable("The library's report has another form than expected.")
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

  /// Returns the outcome that a message of the library means. Messages begin with the name of the error.
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
