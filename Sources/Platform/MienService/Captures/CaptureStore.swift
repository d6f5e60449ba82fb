public import MienAuthenticity
public import MienCore

/// Keeps captures and the devices that sign them.
///
/// What a method has acknowledged survives the death of the process.
public protocol CaptureStore: Sendable {
  /// Keeps a device. Throws ``StoreError/Code/duplicate`` when there is one of this name.
  func save(_ device: CaptureDevice) async throws
  /// The device of this name; nil when there is none.
  func device(_ id: DeviceID) async throws -> CaptureDevice?
  /// Forgets a device; false when there was none. Its captures stay.
  func deleteDevice(_ id: DeviceID) async throws -> Bool
  /// Gives a device its app's attested key in place of one that it may have; the counter of a key that it has already does
  /// not go back. Returns the device as it is then; nil when none of this name has this key of its own.
  func attest(_ id: DeviceID, key: DeviceKey, _ attested: AttestedKey) async throws -> CaptureDevice?

  /// Keeps a challenge's digest until it is taken or its time is over; forgets those whose time was over before `now`.
  func saveChallenge(_ digest: SecretDigest, until expires: UnixTime, at now: UnixTime) async throws
  /// Takes a challenge away; of all who ask at once, on whichever server, one is told true, and none whose time is over.
  func takeChallenge(_ digest: SecretDigest, at now: UnixTime) async throws -> Bool

  /// Keeps a capture, and returns it with its history: how many there are of the same picture, its device's counter, and
  /// that of the attested key that made its assertion.
  ///
  /// Each counter is raised to the capture's when that is higher and the signature covers it, in the same transaction: of
  /// two captures with one counter that come at the same time, one is told that it is the second.
  /// Throws ``StoreError/Code/duplicate`` when the id is taken, `missing` when its check is not there, and `full` when the
  /// owner's scans and captures would come to more than `quota` bytes.
  func save(_ capture: CaptureRecord, quota: Int?) async throws -> CaptureRecord
  /// The capture; nil when there is none with this id.
  func capture(_ id: CaptureID) async throws -> CaptureRecord?
  /// The ids of captures of a picture, oldest first, at most `limit`.
  func captures(of photo: ContentDigest, limit: Int) async throws -> [CaptureID]
  /// Captures that wait to be analysed, oldest first, at most `limit`; where several servers share the store, each is told to
  /// one of them while that one lives.
  func queuedCaptures(limit: Int) async throws -> [CaptureID]
  /// Captures that a check's token made.
  func captures(of check: CheckID) async throws -> [CaptureID]
  /// Captures that tokens of a person's checks made.
  func captures(of person: PersonID) async throws -> [CaptureID]
  /// Captures whose check is not there any more, at most 100.
  func capturesWithoutCheck() async throws -> [CaptureID]
  /// Captures that came before a time, oldest first, at most `limit`.
  func captures(receivedBefore time: UnixTime, limit: Int) async throws -> [CaptureID]
  /// Keeps what the analysis found, with the pictures it drew; false when the capture has been erased meanwhile.
  func analyzed(_ id: CaptureID, _ results: DetectionResults, drawings: [CaptureVisualization]) async throws -> Bool
  /// What the analysis drew; nil when there is none.
  func drawing(_ kind: CaptureVisualization.Kind, of id: CaptureID) async throws -> [UInt8]?
  /// The kinds of drawings that a capture has.
  func drawings(of id: CaptureID) async throws -> [CaptureVisualization.Kind]
  /// Erases a capture with all that belongs to it; returns the blobs to erase, nil when there was none.
  func deleteCapture(_ id: CaptureID) async throws -> [BlobID]?
  /// Those of these blobs that a capture names, or a scan, whose files lie beside those of captures.
  ///
  /// - Parameter blobs: at most ``BlobID/mostAsked``.
  func wanted(of blobs: [BlobID]) async throws -> Set<BlobID>
}

extension CaptureStore {
  /// Keeps a capture, without a quota.
  public func save(_ capture: CaptureRecord) async throws -> CaptureRecord { try await save(capture, quota: nil) }

  /// True when a capture or a scan names this blob.
  public func wants(_ blob: BlobID) async throws -> Bool { try await !wanted(of: [blob]).isEmpty }
}

/// A picture of what a check measured, for people to look at.
public struct CaptureVisualization: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The depth map in shades, near is light.
    case depth
    /// Log magnitude of the luma spectrum, zero frequency in the middle.
    case spectrum
    /// How much periodic structure each tile of the picture has.
    case tiles
  }

  public let kind: Kind
  /// A PNG.
  public let bytes: [UInt8]

  public init(kind: Kind, bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }
}
