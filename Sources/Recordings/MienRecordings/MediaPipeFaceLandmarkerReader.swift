import MienCore

extension MediaPipeFaceLandmarker {
  /// Reads one result, consecutive results (JSON Lines), or an array of results.
  ///
  /// Of several faces, the first is stored and all are counted. Unknown keys are skipped, since the format is external
  /// and evolves; known ones are validated. The time is `timestampMs`; without it, frames are spaced by
  /// ``ParserLimits/frameRate``, or rejected if there is more than one.
  /// - Throws: ``RecordingError`` with line and byte.
  public static func read(
    _ bytes: ContiguousArray<UInt8>, rules: ParserLimits = ParserLimits()
  ) throws(RecordingError) -> Recording {
    let text = bytes.span
    do {
      return try read(text, rules: rules)
    } catch {
      throw error.located(in: text)
    }
  }

  private static func read(_ text: Span<UInt8>, rules: ParserLimits) throws(RecordingError) -> Recording {
    var cursor = TextPosition(line: 1)
    skipByteOrderMark(text, &cursor)
    var frames: [Frame] = []
    if try peek(text, &cursor) == UInt8(ascii: "[") {
      cursor.at += 1
      var isFirst = true
      while try nextElement(text, &cursor, isFirst: &isFirst) {
        try append(try readFrame(text, &cursor), to: &frames, cursor, rules)
      }
      try expectEnd(text, &cursor)
    } else {
      repeat {
        try append(try readFrame(text, &cursor), to: &frames, cursor, rules)
        skipSpace(text, &cursor)
      } while cursor.at < text.count
    }
    let observations = try place(frames, rules)
    let isUnmeasured =
      observations.contains { $0.faceCount ?? 0 > 0 } && observations.allSatisfy { $0.blendshapes == nil }
    return Recording(
      source: .mediaPipe, frameRate: rules.frameRate, observations: observations,
      notes: isUnmeasured ? ["No coefficients were measured: MediaPipe's option output_face_blendshapes was off."] : [])
  }

  /// A result before its time is determined.
  private struct Frame {
    /// Offset in the text.
    var byte: Int
    var at: MonotonicInstant?
    /// Number of faces in each list that was present.
    var counts: [Int] = []
    var box: FaceBox?
    var pose: HeadPose?
    var blendshapes: Blendshapes?
    /// Members read so far, to detect duplicates.
    var seen: [Member] = []
  }

  private static func append(
    _ frame: Frame, to frames: inout [Frame], _ cursor: TextPosition, _ rules: ParserLimits
  ) throws(RecordingError) {
    guard frames.count < rules.maximumObservations else { throw cursor.error(.tooLarge, "too many observations") }
    guard !frame.counts.isEmpty else {
      throw cursor.error(.missingKey, at: frame.byte, "a result has landmarks, coefficients or transforms")
    }
    // By default, MediaPipe measures landmarks only; the other lists are then empty although there is a face.
    let measured = frame.counts.filter { $0 > 0 }
    guard measured.allSatisfy({ $0 == measured[0] }) else {
      throw cursor.error(.inconsistent, at: frame.byte, "the lists of a result have different numbers of faces")
    }
    frames.append(frame)
  }

  private static func place(_ frames: [Frame], _ rules: ParserLimits) throws(RecordingError) -> [ClientObservation] {
    let timed = frames.count { $0.at != nil }
    if timed != 0, let untimed = frames.first(where: { $0.at == nil }) {
      throw RecordingError(.missingKey, line: 1, byte: untimed.byte, "some results have a timestamp and some have none")
    }
    if timed == 0, frames.count > 1 {
      guard let rate = rules.frameRate, rate > 0, rate <= 1000 else {
        throw RecordingError(
          .frameRateUnknown, line: 1, byte: frames[1].byte, "results without timestampMs need a frame rate")
      }
    }
    var observations: [ClientObservation] = []
    observations.reserveCapacity(frames.count)
    for (index, frame) in frames.enumerated() {
      let spaced = rules.frameRate.flatMap { MonotonicInstant(seconds: Double(index) / $0) } ?? .zero
      let at = frame.at ?? spaced
      if let previous = observations.last, at < previous.at, rules.order == .refuse {
        throw RecordingError(.timestampBackwards, line: 1, byte: frame.byte, "timestampMs goes backwards")
      }
      observations.append(
        ClientObservation(
          at: at, faceCount: frame.counts.max(), box: frame.box, pose: frame.pose, blendshapes: frame.blendshapes))
    }
    return observations
  }

  private static func readFrame(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError) -> Frame {
    skipSpace(text, &cursor)
    var frame = Frame(byte: cursor.at)
    try readMembers(text, &cursor, into: &frame)
    return frame
  }

  private static func readMembers(
    _ text: Span<UInt8>, _ cursor: inout TextPosition, into frame: inout Frame
  ) throws(RecordingError) {
    try open(UInt8(ascii: "{"), text, &cursor)
    var isFirst = true
    while let key = try nextKey(text, &cursor, isFirst: &isFirst) {
      guard let member = Member(key) else {
        try skipValue(text, &cursor)
        continue
      }
      guard !frame.seen.contains(member) else { throw cursor.error(.duplicateKey, "a duplicate key") }
      frame.seen.append(member)
      if member != .timestamp, try skipNull(text, &cursor) { continue }
      switch member {
      case .timestamp: frame.at = try scanMilliseconds(text, &cursor)
      case .result: try readMembers(text, &cursor, into: &frame)
      case .landmarks: try readLandmarks(text, &cursor, into: &frame)
      case .coefficients: try readCoefficients(text, &cursor, into: &frame)
      case .transforms: try readTransforms(text, &cursor, into: &frame)
      }
    }
  }

  private static func scanMilliseconds(
    _ text: Span<UInt8>, _ cursor: inout TextPosition
  ) throws(RecordingError) -> MonotonicInstant {
    let start = cursor.at
    guard let nanoseconds = try scanNumber(text, &cursor).scaled(toDigits: 6),
      (0..<9_000_000_000_000_000_000).contains(nanoseconds)
    else { throw cursor.error(.numberOutOfRange, at: start, "timestampMs is outside 0…9000000000000") }
    return MonotonicInstant(nanoseconds: nanoseconds)
  }

  // MARK: Landmarks

  private static func readLandmarks(
    _ text: Span<UInt8>, _ cursor: inout TextPosition, into frame: inout Frame
  ) throws(RecordingError) {
    var faces = 0
    var isFirst = true
    try open(UInt8(ascii: "["), text, &cursor)
    while try nextElement(text, &cursor, isFirst: &isFirst) {
      if faces == 0 { frame.box = try scanExtent(text, &cursor) } else { try skipValue(text, &cursor) }
      faces += 1
    }
    frame.counts.append(faces)
  }

  /// Parses a face's landmarks, 468 or with irises 478, and returns the box around them.
  private static func scanExtent(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError) -> FaceBox {
    let start = cursor.at
    var least = SIMD2<Float>(repeating: .infinity)
    var most = SIMD2<Float>(repeating: -.infinity)
    var count = 0
    var isFirst = true
    try open(UInt8(ascii: "["), text, &cursor)
    while try nextElement(text, &cursor, isFirst: &isFirst) {
      let point = try scanPoint(text, &cursor)
      least = pointwiseMin(least, point)
      most = pointwiseMax(most, point)
      count += 1
    }
    guard count == 468 || count == 478 else {
      throw cursor.error(.inconsistent, at: start, "a face has 468 or 478 landmarks")
    }
    let box = FaceBox(x: least.x, y: least.y, width: most.x - least.x, height: most.y - least.y)
    guard box.isPlausible else {
      throw cursor.error(.numberOutOfRange, at: start, "the box around the landmarks is implausible")
    }
    return box
  }

  /// Parses x and y of a landmark: an object, or an array of x, y and z.
  private static func scanPoint(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError) -> SIMD2<
    Float
  > {
    let start = cursor.at
    var x: Float?
    var y: Float?
    var isFirst = true
    if try peek(text, &cursor) == UInt8(ascii: "[") {
      cursor.at += 1
      while try nextElement(text, &cursor, isFirst: &isFirst) {
        let value = try scanFloat(text, &cursor)
        if x == nil { x = value } else if y == nil { y = value }
      }
    } else {
      try open(UInt8(ascii: "{"), text, &cursor)
      while let key = try nextKey(text, &cursor, isFirst: &isFirst) {
        switch key {
        case Names.x: x = try scanFloat(text, &cursor)
        case Names.y: y = try scanFloat(text, &cursor)
        default: try skipValue(text, &cursor)
        }
      }
    }
    guard let x, let y else { throw cursor.error(.missingKey, at: start, "a landmark needs x and y") }
    return SIMD2(x, y)
  }

  // MARK: Coefficients

  private static func readCoefficients(
    _ text: Span<UInt8>, _ cursor: inout TextPosition, into frame: inout Frame
  ) throws(RecordingError) {
    var faces = 0
    var isFirst = true
    try open(UInt8(ascii: "["), text, &cursor)
    while try nextElement(text, &cursor, isFirst: &isFirst) {
      if faces == 0 {
        frame.blendshapes = try scanClassifications(text, &cursor)
      } else {
        try skipValue(text, &cursor)
      }
      faces += 1
    }
    frame.counts.append(faces)
  }

  /// Parses an object with `categories` (JavaScript), or a plain list of categories (Python).
  private static func scanClassifications(
    _ text: Span<UInt8>, _ cursor: inout TextPosition
  ) throws(RecordingError) -> Blendshapes {
    guard try peek(text, &cursor) == UInt8(ascii: "{") else { return try scanCategories(text, &cursor) }
    let start = cursor.at
    cursor.at += 1
    var shapes: Blendshapes?
    var isFirst = true
    while let key = try nextKey(text, &cursor, isFirst: &isFirst) {
      guard key == Names.categories else {
        try skipValue(text, &cursor)
        continue
      }
      guard shapes == nil else { throw cursor.error(.duplicateKey, "a duplicate key") }
      shapes = try scanCategories(text, &cursor)
    }
    guard let shapes else { throw cursor.error(.missingKey, at: start, "the key categories is missing") }
    return shapes
  }

  private static func scanCategories(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError)
    -> Blendshapes
  {
    let table = CoefficientTable.lowerCamel
    var shapes = Blendshapes()
    var expected = 0
    var isFirst = true
    try open(UInt8(ascii: "["), text, &cursor)
    while try nextElement(text, &cursor, isFirst: &isFirst) {
      let start = cursor.at
      let category = try scanCategory(text, &cursor)
      if category.name == Names.neutral { continue }
      guard let name = table.find(category.name, expected: &expected) else {
        throw cursor.error(.unknownKey, at: start, "not a MediaPipe coefficient")
      }
      guard !shapes.has(name) else { throw cursor.error(.duplicateKey, at: start, "a duplicate coefficient") }
      shapes[name] = category.score
    }
    return shapes
  }

  private static func scanCategory(
    _ text: Span<UInt8>, _ cursor: inout TextPosition
  ) throws(RecordingError) -> (name: InlineString32, score: Float) {
    let start = cursor.at
    var name: InlineString32?
    var score: Float?
    var isFirst = true
    try open(UInt8(ascii: "{"), text, &cursor)
    while let key = try nextKey(text, &cursor, isFirst: &isFirst) {
      switch key {
      case Names.categoryName, Names.category_name:
        guard name == nil else { throw cursor.error(.duplicateKey, "a duplicate key") }
        name = try scanString(text, &cursor)
      case Names.score:
        guard score == nil else { throw cursor.error(.duplicateKey, "a duplicate key") }
        score = try scanCoefficient(text, &cursor)
      default: try skipValue(text, &cursor)
      }
    }
    guard let name, let score else {
      throw cursor.error(.missingKey, at: start, "a category needs its name and its score")
    }
    return (name, score)
  }

  // MARK: Transforms

  private static func readTransforms(
    _ text: Span<UInt8>, _ cursor: inout TextPosition, into frame: inout Frame
  ) throws(RecordingError) {
    var faces = 0
    var isFirst = true
    try open(UInt8(ascii: "["), text, &cursor)
    while try nextElement(text, &cursor, isFirst: &isFirst) {
      if faces == 0 { frame.pose = try scanTransform(text, &cursor) } else { try skipValue(text, &cursor) }
      faces += 1
    }
    frame.counts.append(faces)
  }

  /// Parses an object with column-major `data` (JavaScript), a column-major list of 16 (Android), or four rows of four
  /// (Python).
  private static func scanTransform(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError)
    -> HeadPose
  {
    let start = cursor.at
    var numbers: [Double] = []
    var isByColumns = true
    if try peek(text, &cursor) == UInt8(ascii: "[") {
      isByColumns = try scanNumbers(text, &cursor, into: &numbers)
    } else {
      try open(UInt8(ascii: "{"), text, &cursor)
      var isFirst = true
      while let key = try nextKey(text, &cursor, isFirst: &isFirst) {
        guard key == Names.data else {
          try skipValue(text, &cursor)
          continue
        }
        guard numbers.isEmpty else { throw cursor.error(.duplicateKey, "a duplicate key") }
        isByColumns = try scanNumbers(text, &cursor, into: &numbers)
      }
    }
    guard let rotation = RotationMatrix(transform: numbers, isByColumns: isByColumns) else {
      throw cursor.error(.numberOutOfRange, at: start, "not the 16 numbers of a rigid transform")
    }
    return rotation.pose
  }

  /// Parses a list of numbers or of lists of numbers; returns `false` if it was nested, as row-major matrices are.
  private static func scanNumbers(
    _ text: Span<UInt8>, _ cursor: inout TextPosition, into numbers: inout [Double]
  ) throws(RecordingError) -> Bool {
    var isFlat = true
    var isFirst = true
    try open(UInt8(ascii: "["), text, &cursor)
    while try nextElement(text, &cursor, isFirst: &isFirst) {
      if try peek(text, &cursor) == UInt8(ascii: "[") {
        isFlat = false
        cursor.at += 1
        var isFirstOfRow = true
        while try nextElement(text, &cursor, isFirst: &isFirstOfRow) {
          try scanElement(text, &cursor, into: &numbers)
        }
      } else {
        try scanElement(text, &cursor, into: &numbers)
      }
    }
    return isFlat
  }

  private static func scanElement(
    _ text: Span<UInt8>, _ cursor: inout TextPosition, into numbers: inout [Double]
  ) throws(RecordingError) {
    guard numbers.count < 16 else { throw cursor.error(.wrongType, "more than 16 numbers in a transform") }
    numbers.append(try scanNumber(text, &cursor).double)
  }
}
