public import MienCore

/// What a device can do for a scan.
public struct ScanCapabilities: Hashable, Sendable {
  /// Whether it knows where it is in the room.
  public var tracks: Bool
  /// Whether it measures depth.
  public var measuresDepth: Bool

  public init(tracks: Bool, measuresDepth: Bool) {
    self.tracks = tracks
    self.measuresDepth = measuresDepth
  }
}

/// A depth scan on the disk.
public struct DepthRecording: Codable, Hashable, Sendable {
  /// Where its bundle is: a path within the app's own folder.
  public var path: String
  public var frames: Int
  public var bytes: Int
  /// How long it took.
  public var seconds: Double
  /// Whether it ended before the person ended it.
  public var isCut: Bool

  public init(path: String, frames: Int, bytes: Int, seconds: Double, isCut: Bool = false) {
    self.path = path
    self.frames = frames
    self.bytes = bytes
    self.seconds = seconds
    self.isCut = isCut
  }
}

/// What happens while a scan runs.
public enum ScanEvent: Hashable, Sendable {
  /// So many frames are on the disk; the time of the newest on the sensor's clock, and what to do better.
  case frames(Int, at: MonotonicInstant, ScanGuidance)
  /// The device is too hot to go on.
  case hot
  /// The system wants memory back.
  case lowMemory
  /// There is hardly any room on the device.
  case lowStorage
  /// A call, or another app, has taken the camera.
  case interrupted
  /// The camera ended by itself.
  case cameraLost
}

/// The device's camera and depth sensor for scans. Frames go to the disk as they come and never stay in memory.
public protocol ScanCapturing: Sendable {
  func permission() async -> CameraPermission
  func ask() async -> CameraPermission
  func abilities() async -> ScanCapabilities
  /// Bytes of room on the device; nil when it does not say.
  func room() async -> Int?
  /// Takes a photograph, and tells whether there is a face in it.
  func photograph() async throws -> CapturedPhoto
  /// Begins to write a bundle; news come until ``end()``, or until there can be none.
  func begin() async throws -> AsyncStream<ScanEvent>
  /// Ends the scan and gives what is on the disk; nil when nothing is.
  func end() async -> DepthRecording?
  /// What a scan that was killed has left on the disk, read to the cut; nil when nothing usable is there.
  func rescued() async -> DepthRecording?
  /// Removes photographs and the scan.
  func discard(_ paths: [String]) async
}
