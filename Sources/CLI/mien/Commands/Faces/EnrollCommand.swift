import ArgumentParser
import Foundation
import MienCodecs
import MienCore
import MienFileAnalysis
import MienFiles
import MienLiveness
import MienRecordings
import MienRuntime
import MienPlatform
import MienChecks

/// `mien enroll`: derives a person's own depth thresholds from several depth captures.
struct EnrollCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enroll", abstract: "Derive a person's depth thresholds from depth captures.",
    discussion: """
      Captures are depth frame files (.mdf, Documentation/reference/formats/DepthFrame.md), or 16-bit grayscale PNG maps with \
      --unit, --intrinsics and --face. Without --person the thresholds are only printed.
      Exit status: 0 enrolled, 2 rejected or not assessed, 64 usage error.
      """)

  @Argument(help: "Depth captures of one face.", completion: .file())
  var captures: [String]
  @Option(help: "Store the thresholds for this person.")
  var person: String?
  @OptionGroup var store: StoreOptions
  @Option(help: "Micrometers per step of a PNG map.")
  var unit = 1000
  @Option(help: "fx,fy,cx,cy of a PNG map, in its pixels.")
  var intrinsics: String?
  @Option(help: "x,y,width,height of the face in a PNG map, as fractions of its size.")
  var face: String?
  @Flag(help: "Print the measurements and thresholds as JSON.")
  var json = false

  func validate() throws {
    if let person, PersonID(person) == nil {
      throw ValidationError("--person is 1 to 64 characters of A–Z a–z 0–9 - _.")
    }
    guard (1...1_000_000).contains(unit) else { throw ValidationError("--unit must be 1 to 1000000 micrometers.") }
    for (text, name) in [(intrinsics, "--intrinsics"), (face, "--face")] {
      guard let text else { continue }
      guard Self.numbers(text) != nil else {
        throw ValidationError("\(name) takes four numbers with commas between.")
      }
    }
    if intrinsics == nil || face == nil, let map = captures.first(where: DepthCaptureFile.isMap) {
      throw ValidationError("\(map) is a PNG map: give --intrinsics fx,fy,cx,cy and --face x,y,width,height.")
    }
  }

  func run() async throws {
    try await Terminal.reporting { try await enroll() }
  }

  private func enroll() async throws {
    let frames = try captures.flatMap { path in
      try DepthCaptureFile.read(path, maps: mapSettings).map { (name: path, frame: $0) }
    }
    var measures: [DepthMeasures] = []
    for (name, frame) in frames {
      switch DepthMeasurementResult(frame) {
      case .measured(let found): measures.append(found)
      case .notAssessed(let obstacle): Terminal.note("\(name): could not be measured (\(obstacle.code))")
      }
    }
    let settings = DepthEnrollmentSettings.standard
    switch DepthEnrollment.derive(from: measures, settings: settings) {
    case .refused(let refusal):
      if json { try Terminal.say(EnrollmentFormatter.refusalJSON(refusal.rawValue, measures: measures)) }
      Terminal.note(
        "No enrollment: \(refusal.rawValue). \(measures.count) of \(frames.count) captures could be measured; "
          + "\(settings.minimumCaptures) alike ones of one face are needed.")
      throw ExitCode(2)
    case .enrolled(let thresholds):
      var version: Int?
      if let id = person.flatMap({ PersonID($0) }) {
        version = try await save(thresholds, of: id)
      }
      let text = EnrollmentFormatter(measures: measures, thresholds: thresholds, version: version)
      try Terminal.say(json ? try text.json() : text.plain)
    }
  }

  private func save(_ thresholds: DepthThresholds, of person: PersonID) async throws -> Int {
    let location = store.location
    let path = location.database(.live)
    // A database created in a mistyped folder would be one that no server reads.
    guard location.isExternal || FileManager.default.fileExists(atPath: path) else {
      throw OperationError("\(path) is not there: `mien serve` makes it; give its folder with --data.")
    }
    do {
      return try await location.open(.live).enroll(person, thresholds, at: SystemClock().timeOfDay())
    } catch let error as StoreError {
      throw OperationError("\(location.isExternal ? "--store" : path): \(error)")
    }
  }

  /// Intrinsics and face of PNG maps; `nil` if they are not given.
  private var mapSettings: DepthCaptureFile.MapSettings? {
    guard let camera = intrinsics.flatMap(Self.numbers), let box = face.flatMap(Self.numbers) else { return nil }
    return DepthCaptureFile.MapSettings(
      unit: unit, intrinsics: PinholeIntrinsics(fx: camera[0], fy: camera[1], cx: camera[2], cy: camera[3]),
      face: FaceBox(x: box[0], y: box[1], width: box[2], height: box[3]))
  }

  /// Returns four finite numbers, or `nil`.
  private static func numbers(_ text: String) -> [Float]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let values = parts.compactMap { Float($0) }.filter(\.isFinite)
    return parts.count == 4 && values.count == 4 ? values : nil
  }
}
