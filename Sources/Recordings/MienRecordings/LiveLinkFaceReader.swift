import MienCore

extension LiveLinkFace {
  /// Reads a take.
  ///
  /// Instants are relative to the midnight before the first row, as its timecode is. The eyes' angles are validated and
  /// discarded: `ClientObservation` does not contain them.
  /// - Throws: ``RecordingError`` with line and byte.
  public static func read(
    _ bytes: ContiguousArray<UInt8>, rules: ParserLimits = ParserLimits()
  ) throws(RecordingError) -> Recording {
    let bytes = LiveLinkFaceDialect.standard(bytes)
    var table = CSVRowReader(bytes.span, maximumLineBytes: rules.maximumLineBytes)
    let columns = try readHeader(bytes.span, &table)
    var rows: [Row] = []
    var notes: [String] = []
    do throws(RecordingError) {
      while try table.next(bytes.span, fieldLimit: columns.count) {
        guard rows.count < rules.maximumObservations else {
          throw table.error(.tooLarge, field: 0, "too many observations")
        }
        rows.append(try readRow(bytes.span, table, columns))
      }
    } catch {
      // A recording that was interrupted ends within a row.
      guard table.isOpenEnded, !rows.isEmpty, error.code != .tooLarge else { throw error }
      notes.append("The last row is cut off and was left out.")
    }
    let frameRate = if let given = rules.frameRate { given } else { try inferFrameRate(rows) }
    guard frameRate > 0, frameRate <= 1000 else {
      throw RecordingError(.numberOutOfRange, line: 1, byte: 0, "the given frame rate is outside 0…1000")
    }
    let observations = try place(rows, frameRate: frameRate, rules: rules)
    return Recording(source: .liveLinkFace, frameRate: frameRate, observations: observations, notes: notes)
  }

  /// A row before its timecode is converted to an instant.
  struct Row {
    var line: Int
    var timecode: Timecode
    var observation: ClientObservation
  }

  private static func readHeader(
    _ text: Span<UInt8>, _ table: inout CSVRowReader
  ) throws(RecordingError) -> [Column] {
    guard try table.next(text, fieldLimit: 128) else {
      throw RecordingError(.wrongFormat, line: 1, byte: 0, "no header row: there is no text")
    }
    var columns: [Column] = []
    for (index, field) in table.fields.enumerated() {
      guard let column = column(InlineString32(text, field)) else {
        let code: RecordingError.Code = index == 0 ? .wrongFormat : .unknownKey
        throw table.error(code, field: index, "not a Live Link Face column")
      }
      guard !columns.contains(column) else { throw table.error(.duplicateKey, field: index, "a duplicate column") }
      columns.append(column)
    }
    guard columns.contains(.timecode), columns.contains(.count) else {
      throw table.error(.missingKey, field: 0, "the columns Timecode and BlendShapeCount are needed")
    }
    guard columns.contains(where: { if case .coefficient = $0 { true } else { false } }) else {
      throw table.error(.missingKey, field: 0, "there is no column of a coefficient")
    }
    let heads = (0..<3).count { columns.contains(.angle($0)) }
    guard heads == 0 || heads == 3 else {
      throw table.error(.missingKey, field: 0, "HeadYaw, HeadPitch and HeadRoll belong together")
    }
    return columns
  }

  private static func readRow(
    _ text: Span<UInt8>, _ table: CSVRowReader, _ columns: [Column]
  ) throws(RecordingError) -> Row {
    var timecode: Timecode?
    var count: Int?
    for (index, field) in table.fields.enumerated() {
      switch columns[index] {
      case .timecode:
        timecode = try Timecode(text, field, line: table.line, lineStart: table.lineStart)
      case .count:
        count = try table.number(text, field: index).integer
        guard count == 0 || isCount(count, of: columns) else {
          throw table.error(.inconsistent, field: index, "BlendShapeCount is neither 0 nor the number of value columns")
        }
      case .coefficient, .angle: break
      }
    }
    guard let timecode, let count else {
      throw table.error(.wrongFieldCount, field: table.fields.count - 1, "fewer fields than columns")
    }
    var observation = ClientObservation(at: .zero, faceCount: nil, box: nil, pose: nil, blendshapes: nil)
    if count == 0 {
      try checkEmpty(table, columns)
    } else {
      guard table.fields.count == columns.count else {
        throw table.error(.wrongFieldCount, field: table.fields.count - 1, "fewer fields than columns")
      }
      try readValues(text, table, columns, into: &observation)
    }
    return Row(line: table.line, timecode: timecode, observation: observation)
  }

  /// Returns `true` for a number that programs write as the count of these columns: that of all values, that of the
  /// coefficients, or the one of the format they convert from, whatever the columns are.
  private static func isCount(_ count: Int?, of columns: [Column]) -> Bool {
    let values = columns.count { $0 != .timecode && $0 != .count }
    let coefficients = columns.count { if case .coefficient = $0 { true } else { false } }
    return [values, coefficients, 51, 52, 61].contains(count)
  }

  /// Validates a row without a face: a count of 0, with its values absent or empty.
  private static func checkEmpty(_ table: CSVRowReader, _ columns: [Column]) throws(RecordingError) {
    for (index, field) in table.fields.enumerated() {
      switch columns[index] {
      case .timecode, .count: break
      case .coefficient, .angle:
        guard field.isEmpty else {
          throw table.error(.inconsistent, field: index, "a value, but BlendShapeCount is 0")
        }
      }
    }
  }

  private static func readValues(
    _ text: Span<UInt8>, _ table: CSVRowReader, _ columns: [Column], into observation: inout ClientObservation
  ) throws(RecordingError) {
    var shapes = Blendshapes()
    var head: (yaw: Float?, pitch: Float?, roll: Float?)
    for index in columns.indices {
      switch columns[index] {
      case .timecode, .count: break
      case .coefficient(let name):
        let value = try table.number(text, field: index).float(in: text)
        guard value >= -0.5, value <= 1.5 else {
          throw table.error(.numberOutOfRange, field: index, "a coefficient is outside -0.5…1.5")
        }
        shapes[name] = value
      case .angle(let which):
        let value = try table.number(text, field: index).float(in: text)
        let most: Float = which == 1 ? .pi / 2 : .pi
        guard abs(value) <= most else {
          throw table.error(.numberOutOfRange, field: index, "an angle in radians is implausible")
        }
        switch which {
        case 0: head.yaw = value
        case 1: head.pitch = value
        case 2: head.roll = value
        default: break
        }
      }
    }
    observation.blendshapes = shapes
    if let yaw = head.yaw, let pitch = head.pitch, let roll = head.roll {
      observation.pose = HeadPose(
        yaw: degrees(yaw, most: 180), pitch: degrees(pitch, most: 90), roll: degrees(roll, most: 180))
    }
  }

  /// Converts to degrees; `Float.pi * degreesPerRadian` may slightly exceed the range, so the result is clamped.
  private static func degrees(_ radians: Float, most: Float) -> Float {
    min(max(radians * degreesPerRadian, -most), most)
  }

  /// Infers 30 or 60 from the largest frame number; a short take that could be either is rejected.
  private static func inferFrameRate(_ rows: [Row]) throws(RecordingError) -> Double {
    guard let first = rows.first, let last = rows.last else { return 60 }
    let largest = rows.reduce(0) { max($0, $1.timecode.wholeFrame) }
    if largest >= 60 {
      throw RecordingError(.frameRateUnknown, line: last.line, byte: 0, "frame numbers above 59: give the frame rate")
    }
    if largest >= 30 { return 60 }
    // All below 30: the rate is 30 if there is a whole second, otherwise the take may be the start of one at 60.
    guard rows.count >= 30, first.timecode.second != last.timecode.second else {
      throw RecordingError(
        .frameRateUnknown, line: last.line, byte: 0, "the take is too short to distinguish 30 from 60 frames/s")
    }
    return 30
  }

  /// Converts timecodes to instants, including across midnight, and removes poses that were never measured.
  private static func place(
    _ rows: [Row], frameRate: Double, rules: ParserLimits
  ) throws(RecordingError) -> [ClientObservation] {
    // With head rotation disabled, the app writes zeros: a head that never moves is not a measurement.
    let hasPose = rows.contains { row in
      row.observation.pose.map { $0.yaw != 0 || $0.pitch != 0 || $0.roll != 0 } ?? false
    }
    var day = 0
    var previous: (second: Int, at: MonotonicInstant)?
    var observations: [ClientObservation] = []
    observations.reserveCapacity(rows.count)
    for row in rows {
      // A step of half a day backward can only be midnight.
      if let previous, previous.second - row.timecode.second > Timecode.secondsOfDay / 2 { day += 1 }
      guard day < Timecode.mostDays else {
        throw RecordingError(.inconsistent, line: row.line, byte: 0, "the timecode crosses midnight too often")
      }
      guard let at = row.timecode.instant(day: day, frameRate: frameRate) else {
        throw RecordingError(
          .inconsistent, line: row.line, byte: 0, "a frame number beyond the frame rate")
      }
      if let previous, at < previous.at, rules.order == .refuse {
        throw RecordingError(.timestampBackwards, line: row.line, byte: 0, "the timecode goes backwards")
      }
      previous = (row.timecode.second, at)
      var observation = row.observation
      observation.at = at
      if !hasPose { observation.pose = nil }
      observations.append(observation)
    }
    return observations
  }
}

/// Variants of the CSV that spreadsheets and other systems write.
enum LiveLinkFaceDialect {
  /// Returns the text with commas between fields, points in numbers and line feeds: spreadsheets in much of Europe write
  /// semicolons and decimal commas, others tabs, and old systems end lines with a carriage return only. Positions in the
  /// text stay the same. Text of the usual form is returned unchanged.
  static func standard(_ bytes: ContiguousArray<UInt8>) -> ContiguousArray<UInt8> {
    guard let separator = separator(bytes) else { return bytes }
    let comma = UInt8(ascii: ",")
    let hasLineFeed = bytes.contains(UInt8(ascii: "\n"))
    guard separator != comma || !hasLineFeed else { return bytes }
    return ContiguousArray(
      bytes.map { byte in
        switch byte {
        case separator: comma
        case comma: UInt8(ascii: ".")
        case UInt8(ascii: "\r") where !hasLineFeed: UInt8(ascii: "\n")
        default: byte
        }
      })
  }

  /// Returns the separator after the first column, whose name is known; nil if there is none.
  private static func separator(_ bytes: ContiguousArray<UInt8>) -> UInt8? {
    let start = bytes.prefix(64).drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    let candidates = Array(",;\t".utf8)
    return start.first { candidates.contains($0) }
  }
}
