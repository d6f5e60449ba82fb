import MienCore
import MienRecordings

/// A small recording in each format, produced by our writers.
func recordingSeeds(_ format: RecordingFormat) -> [[UInt8]] {
  var full = Blendshapes()
  for name in BlendshapeName.allCases where format != .mediaPipe || name != .tongueOut {
    full[name] = Float(name.rawValue) / 64
  }
  var few = Blendshapes()
  few[.jawOpen] = 0.5
  let box = FaceBox(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
  let pose = HeadPose(yaw: -12.5, pitch: 3, roll: 1)
  let observations = [
    ClientObservation(at: .zero, faceCount: 1, box: box, pose: pose, blendshapes: full),
    ClientObservation(
      at: MonotonicInstant(nanoseconds: 500_000_000), faceCount: 1, box: nil, pose: pose, blendshapes: few),
    ClientObservation(
      at: MonotonicInstant(nanoseconds: 1_500_000_000), faceCount: 0, box: nil, pose: nil, blendshapes: nil),
  ]
  do throws(RecordingError) {
    return try [1, 3].map { count throws(RecordingError) in
      try Recording(source: .device, frameRate: 60, observations: Array(observations.prefix(count))).write(as: format)
    }
  } catch {
    fatalError("a seed cannot be written: \(error)")
  }
}

/// Parses a recording and checks the parser's guarantees.
func fuzzRecording(_ bytes: [UInt8], _ format: RecordingFormat) {
  let text = ContiguousArray(bytes)
  _ = RecordingFormat.detect(text)
  for order in [ParserLimits.Order.keep, .refuse] {
    do throws(RecordingError) {
      let rules = ParserLimits(
        order: order, maximumObservations: 10_000, requiresHeader: false, frameRate: order == .keep ? 60 : nil)
      let recording = try Recording.read(text, format: format, rules: rules)
      for observation in recording.observations {
        promise(observation.at >= .zero, "an instant is not negative")
        promise(observation.pose?.isPlausible != false, "a pose is plausible")
        promise(observation.box?.isPlausible != false, "a box is plausible")
        promise(observation.blendshapes?.isPlausible != false, "coefficients are plausible")
      }
      guard order == .refuse else { continue }
      let lines = try recording.write(as: .observationLines)
      let again = try Recording.read(ContiguousArray(lines), format: .observationLines)
      promise(again.observations.count == recording.observations.count, "as many are read again")
      promise(try again.write(as: .observationLines) == lines, "they are written the same again")
    } catch {
      promise(error.byte >= 0 && error.byte <= text.count, "an error lies within the text")
    }
  }
}
