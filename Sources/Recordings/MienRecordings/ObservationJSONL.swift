public import MienCore

/// The JSON Lines format for observations, version 1, defined in `Documentation/reference/formats/ObservationLines.md`.
public enum ObservationJSONL {
  /// The version that is written, and the only one that can be read.
  public static let version = 1

  /// The first line of a recording.
  public struct Header: Hashable, Sendable {
    public var source: RecordingSource
    /// Frames per second, above 0 and up to 1000; `nil` if unknown or variable.
    public var frameRate: Double?

    public init(source: RecordingSource, frameRate: Double? = nil) {
      self.source = source
      self.frameRate = frameRate
    }
  }

  /// Parses one observation from the bytes of its line, with or without a trailing line break.
  ///
  /// Allocates only if it throws, or if a number has too many digits to be rounded correctly on the fast path.
  /// - Parameters:
  ///   - line: the text; one JSON object and white space.
  ///   - number: the line number, for errors.
  ///   - maximumBytes: maximum line length; longer lines are rejected before parsing.
  /// - Throws: ``RecordingError`` with the byte offset within the line.
  public static func parseLine(
    _ line: Span<UInt8>, number: Int = 1, maximumBytes: Int = 16_384
  ) throws(RecordingError) -> ClientObservation {
    var cursor = TextPosition(line: number)
    guard line.count <= maximumBytes else { throw cursor.error(.tooLarge, at: maximumBytes, "the line is too long") }
    try open(UInt8(ascii: "{"), line, &cursor)
    var observation = ClientObservation(at: .zero, faceCount: nil, box: nil, pose: nil, blendshapes: nil)
    var seen: Set = []
    var isFirst = true
    while let key = try nextKey(line, &cursor, isFirst: &isFirst) {
      guard let member = Member(key) else { throw cursor.error(.unknownKey, "not a key of an observation") }
      guard seen.insert(member) else { throw cursor.error(.duplicateKey, "a duplicate key") }
      switch member {
      case .t: observation.at = try scanInstant(line, &cursor)
      case .faces: observation.faceCount = try scanFaceCount(line, &cursor)
      case .box: observation.box = try scanBox(line, &cursor)
      case .pose: observation.pose = try scanPose(line, &cursor)
      case .blendshapes:
        if try !skipNull(line, &cursor) {
          var shapes = Blendshapes()
          try scanCoefficients(line, &cursor, into: &shapes)
          observation.blendshapes = shapes
        }
      }
    }
    let end = cursor.at
    try expectEnd(line, &cursor)
    guard seen.contains(.t) else { throw cursor.error(.missingKey, at: end, "the key t is missing") }
    if observation.faceCount == 0,
      observation.pose != nil || observation.blendshapes != nil || observation.box != nil
    {
      throw cursor.error(.inconsistent, at: end, "measures of a face, but faces is 0")
    }
    return observation
  }

  /// Parses the header from the bytes of its line.
  /// - Throws: ``RecordingError`` with the byte offset within the line.
  public static func parseHeader(
    _ line: Span<UInt8>, number: Int = 1, maximumBytes: Int = 16_384
  ) throws(RecordingError) -> Header {
    var cursor = TextPosition(line: number)
    guard line.count <= maximumBytes else { throw cursor.error(.tooLarge, at: maximumBytes, "the line is too long") }
    try open(UInt8(ascii: "{"), line, &cursor)
    var hasName = false
    var version: Int?
    var source: RecordingSource?
    var frameRate: Double?
    var isFirst = true
    while let key = try nextKey(line, &cursor, isFirst: &isFirst) {
      let start = cursor.at
      switch key {
      case Names.mien:
        guard !hasName else { throw cursor.error(.duplicateKey, "a duplicate key") }
        guard try scanString(line, &cursor) == Names.observations else {
          throw cursor.error(.wrongFormat, at: start, "mien must be \"observations\"")
        }
        hasName = true
      case Names.version:
        guard version == nil else { throw cursor.error(.duplicateKey, "a duplicate key") }
        version = try scanNumber(line, &cursor).integer ?? -1
        guard version == Self.version else {
          throw cursor.error(.unsupportedVersion, at: start, "only version 1 is supported")
        }
      case Names.source:
        guard source == nil else { throw cursor.error(.duplicateKey, "a duplicate key") }
        let name = try scanString(line, &cursor)
        source = RecordingSource.allCases.first { InlineString32($0.rawValue) == name }
        guard source != nil else { throw cursor.error(.numberOutOfRange, at: start, "source is not one of the five") }
      case Names.frameRate:
        guard frameRate == nil else { throw cursor.error(.duplicateKey, "a duplicate key") }
        let rate = try scanNumber(line, &cursor).double
        guard rate > 0, rate <= 1000 else {
          throw cursor.error(.numberOutOfRange, at: start, "frame_rate is outside 0…1000")
        }
        frameRate = rate
      default: throw cursor.error(.unknownKey, "not a key of the header")
      }
    }
    let end = cursor.at
    try expectEnd(line, &cursor)
    guard hasName, version != nil, let source else {
      throw cursor.error(.missingKey, at: end, "the header needs mien, version and source")
    }
    return Header(source: source, frameRate: frameRate)
  }

  /// Reports whether the line's first key is one of the header's: the two kinds of lines share no keys.
  static func looksLikeHeader(_ line: Span<UInt8>) -> Bool {
    var cursor = TextPosition(line: 1)
    var isFirst = true
    do {
      try open(UInt8(ascii: "{"), line, &cursor)
      guard let key = try nextKey(line, &cursor, isFirst: &isFirst) else { return false }
      return key == Names.mien || key == Names.version || key == Names.source || key == Names.frameRate
    } catch {
      // Parsing the line as an observation reports the error.
      return false
    }
  }

  enum Names {
    static let mien = InlineString32("mien")
    static let observations = InlineString32("observations")
    static let version = InlineString32("version")
    static let source = InlineString32("source")
    static let frameRate = InlineString32("frame_rate")
    static let t = InlineString32("t")
    static let faces = InlineString32("faces")
    static let box = InlineString32("box")
    static let pose = InlineString32("pose")
    static let blendshapes = InlineString32("blendshapes")
    static let yaw = InlineString32("yaw")
    static let pitch = InlineString32("pitch")
    static let roll = InlineString32("roll")
  }

  private enum Member: UInt8 {
    case t, faces, box, pose, blendshapes

    init?(_ key: InlineString32) {
      switch key {
      case Names.t: self = .t
      case Names.faces: self = .faces
      case Names.box: self = .box
      case Names.pose: self = .pose
      case Names.blendshapes: self = .blendshapes
      default: return nil
      }
    }
  }

  /// The members read so far; `insert` returns `false` for a duplicate.
  private struct Set: ExpressibleByArrayLiteral {
    private var bits: UInt8 = 0
    init(arrayLiteral elements: Member...) { for element in elements { _ = insert(element) } }
    func contains(_ member: Member) -> Bool { bits & (1 << member.rawValue) != 0 }
    mutating func insert(_ member: Member) -> Bool {
      guard !contains(member) else { return false }
      bits |= 1 << member.rawValue
      return true
    }
  }
}

/// Parses seconds since the clock's origin, 0 up to 9·10^9, with nanosecond precision.
private func scanInstant(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError) -> MonotonicInstant {
  let start = cursor.at
  let number = try scanNumber(text, &cursor)
  guard let nanoseconds = number.scaled(toDigits: 9), nanoseconds < 9_000_000_000_000_000_000 else {
    throw cursor.error(.numberOutOfRange, at: start, "t is outside 0…9000000000")
  }
  guard nanoseconds >= 0 else { throw cursor.error(.numberOutOfRange, at: start, "t is negative") }
  return MonotonicInstant(nanoseconds: nanoseconds)
}

private func scanFaceCount(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError) -> Int {
  let start = cursor.at
  guard let count = try scanNumber(text, &cursor).integer, (0...100).contains(count) else {
    throw cursor.error(.numberOutOfRange, at: start, "faces is not a whole number in 0…100")
  }
  return count
}

/// Parses a finite number; a value too large for a `Float` is out of every range.
@inline(__always)
func scanFloat(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError) -> Float {
  let start = cursor.at
  let value = try scanNumber(text, &cursor).float(in: text)
  guard value.isFinite else { throw cursor.error(.numberOutOfRange, at: start, "a number is too large") }
  return value
}

private func scanBox(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError) -> FaceBox? {
  if try skipNull(text, &cursor) { return nil }
  let start = cursor.at
  try open(UInt8(ascii: "["), text, &cursor)
  var values = SIMD4<Float>()
  var count = 0
  var isFirst = true
  while try nextElement(text, &cursor, isFirst: &isFirst) {
    guard count < 4 else { throw cursor.error(.wrongType, "box has more than four numbers") }
    values[count] = try scanFloat(text, &cursor)
    count += 1
  }
  guard count == 4 else { throw cursor.error(.wrongType, at: start, "box has fewer than four numbers") }
  let box = FaceBox(x: values[0], y: values[1], width: values[2], height: values[3])
  guard box.isPlausible else { throw cursor.error(.numberOutOfRange, at: start, "box is implausible") }
  return box
}

private func scanPose(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError) -> HeadPose? {
  if try skipNull(text, &cursor) { return nil }
  let start = cursor.at
  try open(UInt8(ascii: "{"), text, &cursor)
  var yaw: Float?
  var pitch: Float?
  var roll: Float?
  var isFirst = true
  while let key = try nextKey(text, &cursor, isFirst: &isFirst) {
    let isTwice =
      switch key {
      case ObservationJSONL.Names.yaw: yaw != nil
      case ObservationJSONL.Names.pitch: pitch != nil
      case ObservationJSONL.Names.roll: roll != nil
      default: throw cursor.error(.unknownKey, "not a key of a pose")
      }
    guard !isTwice else { throw cursor.error(.duplicateKey, "a duplicate key") }
    let value = try scanFloat(text, &cursor)
    if key == ObservationJSONL.Names.yaw {
      yaw = value
    } else if key == ObservationJSONL.Names.pitch {
      pitch = value
    } else {
      roll = value
    }
  }
  guard let yaw, let pitch, let roll else {
    throw cursor.error(.missingKey, at: start, "a pose needs yaw, pitch and roll")
  }
  let pose = HeadPose(yaw: yaw, pitch: pitch, roll: roll)
  guard pose.isPlausible else { throw cursor.error(.numberOutOfRange, at: start, "pose is implausible") }
  return pose
}

/// Parses the object of named coefficients, in any order, each at most once, each within −0.5…1.5.
private func scanCoefficients(
  _ text: Span<UInt8>, _ cursor: inout TextPosition, into shapes: inout Blendshapes
) throws(RecordingError) {
  let table = CoefficientTable.lowerCamel
  var expected = 0
  try open(UInt8(ascii: "{"), text, &cursor)
  var isFirst = true
  while try nextMember(text, &cursor, isFirst: &isFirst) {
    let name: BlendshapeName
    if let match = table.match(text, &cursor, expected: &expected) {
      name = match
      skipSpace(text, &cursor)
    } else if let found = table.find(try scanKey(text, &cursor), expected: &expected) {
      name = found
    } else {
      throw cursor.error(.unknownKey, "not an ARKit coefficient")
    }
    guard !shapes.has(name) else { throw cursor.error(.duplicateKey, "a duplicate coefficient") }
    shapes[name] = try scanCoefficient(text, &cursor)
  }
}

/// Parses a coefficient within −0.5…1.5, the widest range that real sources produce.
@inline(__always)
func scanCoefficient(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError) -> Float {
  let start = cursor.at
  let value = try scanNumber(text, &cursor).float(in: text)
  guard value >= -0.5, value <= 1.5 else {
    throw cursor.error(.numberOutOfRange, at: start, "a coefficient is outside -0.5…1.5")
  }
  return value
}
