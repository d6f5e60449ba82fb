public import MienPlatform
public import MienAuthenticity
public import MienCore

/// Stores captures and the devices that sign them.
///
/// Changes survive a crash of the process once the method that made them has returned.
public protocol CaptureStore: Sendable {
  /// Stores a device. Throws ``StoreError/Code/duplicate`` if there is one with this ID.
  func save(_ device: CaptureDevice) async throws
  /// Returns the device with this ID; `nil` if there is none.
  func device(_ id: DeviceID) async throws -> CaptureDevice?
  /// Deletes a device but not its captures; returns `false` if there was none.
  func deleteDevice(_ id: DeviceID) async throws -> Bool
  /// Sets the attested app key of a device, replacing an earlier one; the counter of the same key never decreases.
  /// Returns the updated device; `nil` if no device with this ID has this key.
  func attest(_ id: DeviceID, key: DeviceKey, _ attested: AttestedKey) async throws -> CaptureDevice?

  /// Stores a challenge's digest until it is taken or expires; deletes those that expired before `now`.
  func saveChallenge(_ digest: SecretDigest, until expires: UnixTime, at now: UnixTime) async throws
  /// Takes a challenge. Of concurrent calls, on any server, only one returns `true`, and none does once the challenge
  /// has expired.
  func takeChallenge(_ digest: SecretDigest, at now: UnixTime) async throws -> Bool

  /// Stores a capture and returns it with its history: the number of captures with the same photo, its device's
  /// counter, and that of the attested key that made its assertion.
  ///
  /// Raises each counter to the capture's if that is higher and the signature covers it, in the same transaction: of
  /// two concurrent captures with the same counter, one is reported as the second.
  /// Throws ``StoreError/Code/duplicate`` if the ID is taken, `missing` if its check does not exist, and `full` if the
  /// owner's scans and captures would exceed `quota` bytes or the captures of its check would exceed `checkLimits`.
  func save(
    _ capture: CaptureRecord, quota: Int?, checkLimits: CheckCaptureLimits?
  ) async throws -> CaptureRecord
  /// Returns the capture; `nil` if there is none with this ID.
  func capture(_ id: CaptureID) async throws -> CaptureRecord?
  /// Returns a page of the captures that match a query, newest first.
  func captures(_ query: CaptureListQuery) async throws -> RecordPage<CaptureSummary>
  /// Returns the IDs of at most `limit` captures of a photo, oldest first.
  func captures(of photo: ContentDigest, limit: Int) async throws -> [CaptureID]
  /// Returns at most `limit` captures queued for analysis, oldest first. If several servers share the store, each
  /// capture is returned to only one of them while that one is alive.
  func queuedCaptures(limit: Int) async throws -> [CaptureID]
  /// Returns the captures made with a check's token.
  func captures(of check: CheckID) async throws -> [CaptureID]
  /// Returns the captures made with tokens of a person's checks.
  func captures(of person: PersonID) async throws -> [CaptureID]
  /// Returns at most 100 captures whose check no longer exists.
  func capturesWithoutCheck() async throws -> [CaptureID]
  /// Returns at most `limit` captures received before a time, oldest first.
  func captures(receivedBefore time: UnixTime, limit: Int) async throws -> [CaptureID]
  /// Stores the results of the analysis with its visualizations; returns `false` if the capture was deleted in the meantime.
  func analyzed(
    _ id: CaptureID, _ results: DetectionResults, provenance: ProvenanceOutcome, reception: ReceptionCredential?,
    visualizations: [CaptureVisualization]
  ) async throws -> Bool
  /// Returns a visualization of the analysis; `nil` if there is none.
  func visualization(_ kind: CaptureVisualization.Kind, of id: CaptureID) async throws -> [UInt8]?
  /// Returns the kinds of visualizations that a capture has.
  func visualizations(of id: CaptureID) async throws -> [CaptureVisualization.Kind]
  /// Deletes a capture with all associated data; returns the blobs to delete, or `nil` if there was no such capture.
  func deleteCapture(_ id: CaptureID) async throws -> [BlobID]?
  /// Returns those of the blobs that are referenced by a capture, or by a scan, whose files are stored with those of
  /// captures.
  ///
  /// - Parameter blobs: at most ``BlobID/mostAsked``.
  func wanted(of blobs: [BlobID]) async throws -> Set<BlobID>
}

extension CaptureStore {
  /// Stores a capture without limits for its check.
  public func save(_ capture: CaptureRecord, quota: Int? = nil) async throws -> CaptureRecord {
    try await save(capture, quota: quota, checkLimits: nil)
  }

  /// Returns `true` if a capture or a scan references this blob.
  public func wants(_ blob: BlobID) async throws -> Bool { try await !wanted(of: [blob]).isEmpty }
}

/// An image of a check's measurements, for people to view.
public struct CaptureVisualization: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Depth map in shades of gray; near is light.
    case depth
    /// Log magnitude of the luma spectrum, with the zero frequency in the center.
    case spectrum
    /// Amount of periodic structure in each tile of the image.
    case tiles
  }

  public let kind: Kind
  /// The image as PNG.
  public let bytes: [UInt8]

  public init(kind: Kind, bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }
}
