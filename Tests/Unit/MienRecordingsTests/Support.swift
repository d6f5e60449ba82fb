import MienTestGenerators
import Foundation
import MienCore
import MienRecordings
import Testing

func bytes(_ text: String) -> ContiguousArray<UInt8> { ContiguousArray(text.utf8) }

/// Generates observations that every format can represent as far as it has the fields.
struct ObservationMaker {
  var randomness: SplitMixGenerator
  init(seed: UInt64) { randomness = SplitMixGenerator(seed: seed) }

  /// Returns a number with six decimals, so that formatting does not round it.
  mutating func number(_ range: ClosedRange<Int>) -> Float {
    Float(Double(Int.random(in: range, using: &randomness)) / 1e6)
  }

  mutating func coefficients(missing: Bool) -> Blendshapes {
    var shapes = Blendshapes()
    for name in BlendshapeName.allCases where !missing || Bool.random(using: &randomness) {
      shapes[name] = number(-500_000...1_500_000)
    }
    return shapes
  }

  mutating func pose() -> HeadPose {
    HeadPose(
      yaw: number(-180_000_000...180_000_000), pitch: number(-90_000_000...90_000_000),
      roll: number(-180_000_000...180_000_000))
  }

  /// Returns any valid observation, with members missing at random.
  mutating func observation(after last: MonotonicInstant) -> ClientObservation {
    let at = last + Interval(nanoseconds: Int64.random(in: 0...2_000_000_000, using: &randomness))
    let faces = [nil, 0, 1, 2, 100].randomElement(using: &randomness) ?? nil
    guard faces != 0 else { return ClientObservation(at: at, faceCount: 0, box: nil, pose: nil, blendshapes: nil) }
    let box = FaceBox(
      x: number(-2_000_000...2_000_000), y: number(-2_000_000...2_000_000), width: number(1...2_000_000),
      height: number(1...2_000_000))
    let pose = pose()
    let shapes = coefficients(missing: Bool.random(using: &randomness))
    return ClientObservation(
      at: at, faceCount: faces, box: Bool.random(using: &randomness) ? box : nil,
      pose: Bool.random(using: &randomness) ? pose : nil, blendshapes: Bool.random(using: &randomness) ? shapes : nil)
  }

  mutating func observations(_ count: Int) -> [ClientObservation] {
    var made: [ClientObservation] = []
    for _ in 0..<count { made.append(observation(after: made.last?.at ?? .zero)) }
    return made
  }
}

/// Returns the contents of the only fenced block with this language in a format's document.
func sample(_ language: String, in document: String) throws -> String {
  let file = repositoryRoot.appending(path: "Documentation/reference/formats/\(document)")
  let text = try String(contentsOf: file, encoding: .utf8)
  let parts = text.components(separatedBy: "```\(language)\n")
  try #require(parts.count == 2, "one \(language) block in \(document)")
  return try #require(parts[1].components(separatedBy: "```").first)
}

/// Folder that contains `Documentation`, found upward from this file.
let repositoryRoot: URL = {
  var folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
  while folder.path != "/" {
    folder.deleteLastPathComponent()
    if FileManager.default.fileExists(atPath: folder.appending(path: "Documentation/reference/formats").path) {
      return folder
    }
  }
  return folder
}()

/// Folder with real data that is not part of the repository, or `nil`.
let sharedFolder: URL? = {
  if let given = ProcessInfo.processInfo.environment["MIEN_SHARED"] { return URL(fileURLWithPath: given) }
  var folder = repositoryRoot
  while folder.path != "/" {
    folder.deleteLastPathComponent()
    let candidate = folder.appending(path: "shared")
    if FileManager.default.fileExists(atPath: candidate.appending(path: "data").path) { return candidate }
  }
  return nil
}()

/// Reports whether the real data is available, and prints a message if it is not.
func hasSharedData(_ suite: String) -> Bool {
  if sharedFolder == nil { print("SKIPPED \(suite): shared/data not found") }
  return sharedFolder != nil
}

/// Parses the text as one observation.
func line(_ text: String) throws(RecordingError) -> ClientObservation {
  try ObservationJSONL.parseLine(bytes(text).span)
}

/// Returns the error of `work`, which must throw one.
func refusal(
  _ sourceLocation: SourceLocation = #_sourceLocation, _ work: () throws -> Void
) throws -> RecordingError {
  let error = #expect(throws: RecordingError.self, sourceLocation: sourceLocation) { try work() }
  return try #require(error, sourceLocation: sourceLocation)
}
