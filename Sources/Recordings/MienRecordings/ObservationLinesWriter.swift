public import MienCore

/// Writes observation lines; identical values always produce identical bytes.
///
/// Numbers have up to six decimals (`t` up to nine) without trailing zeros; keys are in canonical order.
public struct ObservationLinesWriter: Sendable {
  /// The bytes written so far.
  public var bytes: [UInt8] { text.bytes }
  private var text = ASCIIWriter()
  private var count = 0

  /// Creates a writer and writes `header`; `nil` for a request body without one.
  public init(header: ObservationJSONL.Header?) {
    guard let header else { return }
    text.append("{\"mien\":\"observations\",\"version\":1,\"source\":\"")
    text.append(header.source.rawValue)
    text.append("\"")
    if let rate = header.frameRate, rate > 0, rate <= 1000 {
      text.append(",\"frame_rate\":")
      text.append(Int64((rate * 1e6).rounded()), digits: 6)
    }
    text.append("}\n")
  }

  /// Appends one line.
  /// - Throws: ``RecordingError`` for an observation that a reader would reject; nothing is written in that case.
  public mutating func append(_ observation: ClientObservation) throws(RecordingError) {
    count += 1
    try checkWritable(observation, number: count)
    text.append("{\"t\":")
    text.append(observation.at.nanoseconds, digits: 9)
    if let faces = observation.faceCount {
      text.append(",\"faces\":")
      text.append(Int64(faces), digits: 0)
    }
    if let box = observation.box {
      text.append(",\"box\":[")
      text.append(box.x, digits: 6)
      for value in [box.y, box.width, box.height] {
        text.append(",")
        text.append(value, digits: 6)
      }
      text.append("]")
    }
    if let pose = observation.pose {
      text.append(",\"pose\":{\"yaw\":")
      text.append(pose.yaw, digits: 6)
      text.append(",\"pitch\":")
      text.append(pose.pitch, digits: 6)
      text.append(",\"roll\":")
      text.append(pose.roll, digits: 6)
      text.append("}")
    }
    if let shapes = observation.blendshapes { append(shapes) }
    text.append("}\n")
  }

  private mutating func append(_ shapes: Blendshapes) {
    text.append(",\"blendshapes\":{")
    var isFirst = true
    for (name, label) in Self.labels {
      guard let value = shapes[name] else { continue }
      if !isFirst { text.append(",") }
      isFirst = false
      text.append(label)
      text.append(value, digits: 6)
    }
    text.append("}")
  }

  /// `"jawOpen":` for every coefficient in canonical order.
  private static let labels = BlendshapeName.allCases.map { ($0, "\"\($0.text)\":") }
}

/// Rejects observations that the formats cannot represent: a negative instant, implausible numbers, face measurements
/// without a face.
func checkWritable(_ observation: ClientObservation, number: Int) throws(RecordingError) {
  func fault(_ code: RecordingError.Code, _ reason: String) -> RecordingError {
    RecordingError(code, line: number, unit: .observation, byte: 0, reason)
  }
  guard (0..<9_000_000_000_000_000_000).contains(observation.at.nanoseconds) else {
    throw fault(.numberOutOfRange, "the instant is outside 0…9000000000 s")
  }
  if let faces = observation.faceCount {
    guard (0...100).contains(faces) else { throw fault(.numberOutOfRange, "the count of faces is outside 0…100") }
    guard faces > 0 || (observation.pose == nil && observation.blendshapes == nil && observation.box == nil) else {
      throw fault(.inconsistent, "measures of a face where there is none")
    }
  }
  guard observation.box?.isPlausible != false else { throw fault(.numberOutOfRange, "the box is implausible") }
  guard observation.pose?.isPlausible != false else { throw fault(.numberOutOfRange, "the pose is implausible") }
  guard observation.blendshapes?.isPlausible != false else {
    throw fault(.numberOutOfRange, "a coefficient is outside -0.5…1.5")
  }
}
