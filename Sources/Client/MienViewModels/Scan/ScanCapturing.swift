public import MienCore

/// Scan capabilities of a device.
public struct ScanCapabilities: Hashable, Sendable {
  /// `true` if the device tracks its position.
  public var tracks: Bool
  /// `true` if the device measures depth.
  public var measuresDepth: Bool

  public init(tracks: Bool, measuresDepth: Bool) {
    self.tracks = tracks
    self.measuresDepth = measuresDepth
  }
}

/// Depth scan stored on disk.
public struct DepthRecording: Codable, Hashable, Sendable {
  /// Path of the scan bundle relative to the app's folder.
  public var path: String
  public var frames: Int
  public var bytes: Int
  /// Duration in seconds.
  public var seconds: Double
  /// `true` if the scan ended before the user stopped it.
  public var isCut: Bool

  public init(path: String, frames: Int, bytes: Int, seconds: Double, isCut: Bool = false) {
    self.path = path
    self.frames = frames
    self.bytes = bytes
    self.seconds = seconds
    self.isCut = isCut
  }
}

/// Event during a scan.
public enum ScanEvent: Hashable, Sendable {
  /// Number of frames written, timestamp of the newest on the sensor's clock, and guidance.
  case frames(Int, at: MonotonicInstant, ScanGuidance)
  /// Picture of a recent depth map.
  case preview(DepthPreview)
  /// The device is too hot to continue.
  case hot
  /// The system reports low memory.
  case lowMemory
  /// Free disk space is low.
  case lowStorage
  /// A phone call or another app took the camera.
  case interrupted
  /// The camera stopped unexpectedly.
  case cameraLost
}

/// Interface to the device's camera and depth sensor for scans. Frames are written to disk as they arrive, never
/// buffered.
public protocol ScanCapturing: Sendable {
  func permission() async -> CameraPermission
  func ask() async -> CameraPermission
  func abilities() async -> ScanCapabilities
  /// Returns the free disk space in bytes, or `nil` if unknown.
  func freeBytes() async -> Int?
  /// Takes a photo and detects a face in it.
  func photograph() async throws -> CapturedPhoto
  /// Starts writing a scan bundle. The stream delivers events until ``end()`` or a failure.
  func begin() async throws -> AsyncStream<ScanEvent>
  /// Ends the scan and returns the recording on disk, or `nil` if there is none.
  func end() async -> DepthRecording?
  /// Recovers the recording of a scan that was interrupted by termination of the app, or returns `nil` if none is
  /// usable.
  func rescued() async -> DepthRecording?
  /// Deletes photos and scans.
  func discard(_ paths: [String]) async
  /// Returns the face in the camera picture as it moves, and `nil` while there is none, until the stream is released.
  func faces() async -> AsyncStream<ScanFace?>
  /// Returns the size of a file in bytes, or 0 if there is none.
  func size(of path: String) async -> Int
}

extension ScanCapturing {
  public func faces() async -> AsyncStream<ScanFace?> { AsyncStream { $0.finish() } }
  public func size(of path: String) async -> Int { 0 }
}

/// Unfinished scan, stored on the device so that a restarted app can continue it.
struct ScanDraft: Codable, Hashable, Sendable {
  struct Photo: Codable, Hashable, Sendable {
    var id: String
    var path: String
    var hasFace: Bool?

    init(_ photo: CapturedPhoto) {
      (id, path, hasFace) = (photo.id, photo.path, photo.hasFace)
    }

    var taken: CapturedPhoto { CapturedPhoto(id: id, path: path, hasFace: hasFace) }
  }

  var photos: [Photo] = []
  var depth: DepthRecording?
  /// `true` while frames are being written.
  var isScanning = false
  var subject: String?
  var label: String?
  /// ID of the upload job, once created.
  var job: String?
  /// Entry of the work list.
  var entry: Int?
}

/// Guidance for the operator during a scan.
public struct ScanGuidance: Hashable, Sendable {
  /// Current advice; `nil` if there is none.
  public var advice: LocalizedText?
  /// `true` if the subject is within the sensor's range; `nil` if the distance is unknown.
  public var isInRange: Bool?
  /// Coverage of the subject's left side, right side and top, 0…1 each.
  public var left: Double
  public var right: Double
  public var top: Double
  /// `true` when all sides are covered and the scan is long enough.
  public var isEnough: Bool

  public init(
    advice: LocalizedText? = nil, isInRange: Bool? = nil, left: Double = 0, right: Double = 0, top: Double = 0,
    isEnough: Bool = false
  ) {
    self.advice = advice
    self.isInRange = isInRange
    self.left = left
    self.right = right
    self.top = top
    self.isEnough = isEnough
  }
}
