/// Metadata of a whole scan: device and sensor, size and unit of the depth maps, and the conventions of poses and
/// timestamps.
public struct ScanHeader: Hashable, Sendable {
  /// Device name as written by its manufacturer, for example `iPhone 13 Pro`; at most 200 bytes, empty if unknown.
  public let device: String
  public let sensor: ScanSensor
  /// Size of every depth map, in pixels.
  public let width: Int
  public let height: Int
  /// Resolution of a depth sample, in micrometers per step: 1000 for millimeter maps, 100 for maps of 0.1 mm.
  public let micrometersPerStep: Int
  public let world: WorldAlignment
  public let clock: ScanClock

  /// Maximum number of samples in a depth map.
  public static let largestArea = 1 << 22

  /// Returns nil for sizes outside 1…4096 or of more than ``largestArea`` samples, units outside 1…1 000 000
  /// micrometers, and names over 200 bytes.
  public init?(
    device: String, sensor: ScanSensor, width: Int, height: Int, micrometersPerStep: Int, world: WorldAlignment,
    clock: ScanClock
  ) {
    guard (1...4096).contains(width), (1...4096).contains(height), width * height <= Self.largestArea,
      (1...1_000_000).contains(micrometersPerStep), device.utf8.count <= 200
    else { return nil }
    self.device = device
    self.sensor = sensor
    self.width = width
    self.height = height
    self.micrometersPerStep = micrometersPerStep
    self.world = world
    self.clock = clock
  }

  /// Number of samples in a depth map.
  @inlinable public var area: Int { width * height }
  /// Resolution of a depth sample, in meters per step.
  @inlinable public var metersPerStep: Float { Float(micrometersPerStep) / 1_000_000 }
}

/// Sensor that measured the depth. It determines the recommended distances (see `ScanQualitySettings`).
public enum ScanSensor: String, Hashable, Sendable, CaseIterable {
  /// Rear LiDAR scanner of an iPhone or iPad.
  case lidar
  /// Front camera of an iPhone or iPad.
  case trueDepth = "true-depth"
  /// Another structured-light or time-of-flight camera, such as those of the TUM recordings.
  case depthCamera = "depth-camera"
  case unknown
}

/// Orientation of the world coordinates of a scan's poses. Poses are always right-handed and in meters.
public enum WorldAlignment: String, Hashable, Sendable, CaseIterable {
  /// y points up, against gravity, as in ARKit.
  case yUp = "y-up"
  /// z points up, as in the TUM recordings.
  case zUp = "z-up"
  /// The orientation is unknown, or there are no poses.
  case unleveled
}

/// Origin of a scan's timestamps.
public enum ScanClock: String, Hashable, Sendable, CaseIterable {
  /// Time since 1970-01-01 00:00 UTC.
  case unix
  /// Time since the device was started.
  case boot
  /// Time since the scan's first frame, or since an unknown origin.
  case start
}
