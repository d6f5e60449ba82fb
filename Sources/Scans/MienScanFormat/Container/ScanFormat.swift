internal import MienCore

/// Constants of the format specified in Documentation/reference/formats/ScanBundle.md.
enum ScanFormat {
  static let magic: [UInt8] = [0x89, 0x4D, 0x53, 0x43, 0x41, 0x4E, 0x0D, 0x0A]
  static let end: [UInt8] = Array("MSCANEND".utf8)
  static let version = 1
  static let headLength = 16
  static let trailerLength = 16
  static let largestPayload = 128 << 20
  static let mostFrames = 100_000
  static let mostImages = 1000
  /// Interval between key frames.
  static let keyDistance = 15

  enum Mark: Sendable {
    case frame, image, index

    var bytes: [UInt8] {
      switch self {
      case .frame: Array("FRAM".utf8)
      case .image: Array("PICT".utf8)
      case .index: Array("INDX".utf8)
      }
    }

    /// Creates a mark from its four bytes as a little-endian number; returns nil for any other value.
    init?(_ word: UInt32) {
      switch word {
      case 0x4D41_5246: self = .frame
      case 0x5443_4950: self = .image
      case 0x5844_4E49: self = .index
      default: return nil
      }
    }
  }

  enum DepthCoding: UInt8, Sendable { case plain = 0, quick, dense }
  enum ConfidenceCoding: UInt8, Sendable { case plain = 0, runs }

  static let sensors: [ScanSensor] = [.unknown, .lidar, .trueDepth, .depthCamera]
  static let worlds: [WorldAlignment] = [.unleveled, .yUp, .zUp]
  static let clocks: [ScanClock] = [.start, .unix, .boot]
  static let imageRoles: [ScanImage.Role] = [.photo, .colorFrame]

  /// Returns the code of a value: its index in the list.
  static func code<Value: Equatable>(of value: Value, in list: [Value]) -> UInt8 {
    UInt8(list.prefix { $0 != value }.count)
  }

  static func value<Value>(of code: UInt8, in list: [Value]) -> Value? {
    list.indices.contains(Int(code)) ? list[Int(code)] : nil
  }
}

extension [UInt8] {
  /// Returns the little-endian 32-bit number at a position.
  func little32(at place: Int) -> UInt32 {
    UInt32(self[place]) | UInt32(self[place + 1]) << 8 | UInt32(self[place + 2]) << 16 | UInt32(self[place + 3]) << 24
  }

  /// Returns the little-endian 64-bit number at a position.
  func little64(at place: Int) -> UInt64 {
    UInt64(little32(at: place)) | UInt64(little32(at: place + 4)) << 32
  }

  mutating func appendLittle16(_ value: UInt16) {
    append(UInt8(truncatingIfNeeded: value))
    append(UInt8(value >> 8))
  }

  mutating func appendLittle64(_ value: UInt64) {
    appendLittle(UInt32(truncatingIfNeeded: value))
    appendLittle(UInt32(value >> 32))
  }

  mutating func append(_ intrinsics: PinholeIntrinsics) {
    for value in [intrinsics.fx, intrinsics.fy, intrinsics.cx, intrinsics.cy] { appendLittle(value.bitPattern) }
  }

  mutating func append(_ pose: CameraPose) {
    for value in pose.rowMajor.prefix(12) { appendLittle(value.bitPattern) }
  }
}

/// Run-length coding of confidence levels, or raw bytes if runs would be longer.
enum ConfidenceCoding {
  static func write(_ levels: [UInt8]) -> (bytes: [UInt8], coding: ScanFormat.ConfidenceCoding) {
    var bytes: [UInt8] = []
    var level = levels[0]
    var run = 0
    for next in levels {
      if next != level {
        bytes.append(level)
        bytes.appendVariable(run)
        level = next
        run = 0
      }
      run += 1
    }
    bytes.append(level)
    bytes.appendVariable(run)
    return bytes.count < levels.count ? (bytes, .runs) : (levels, .plain)
  }

  static func read(
    _ bytes: ArraySlice<UInt8>, _ coding: ScanFormat.ConfidenceCoding, count: Int
  ) throws(DepthCodecError) -> [UInt8] {
    guard coding == .runs else {
      guard bytes.count == count else { throw .damaged("the length of the confidence") }
      return Array(bytes)
    }
    var cursor = LittleEndianReader(bytes)
    var levels: [UInt8] = []
    levels.reserveCapacity(count)
    while cursor.left > 0 {
      let level = try cursor.byte()
      let run = try cursor.variable()
      guard run > 0, run <= count - levels.count else { throw .damaged("a run of confidence") }
      levels.append(contentsOf: repeatElement(level, count: run))
    }
    guard levels.count == count else { throw .cutShort }
    return levels
  }
}
