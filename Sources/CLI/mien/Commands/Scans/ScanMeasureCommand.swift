import ArgumentParser
import MienScanFormat
import MienFiles
import MienScanFiles
import MienScanPipeline
import MienPlatform

/// `mien scan measure`: measures distances on a face in millimeters.
struct ScanMeasureCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure", abstract: "Measure facial distances in a scan.",
    discussion: """
      Detects the face in images with known camera intrinsics, projects its landmarks onto the depth measured with them, \
      and prints the distances between them with 95% intervals. The intervals do not cover scale errors of the sensor.

      Exit status: 0 a face measured in every scan, 1 a scan without a face, 2 a scan cannot be read, 64 usage error.
      """)

  @Argument(help: "Scans: files or folders.", completion: .file())
  var inputs: [String]
  @Option(
    name: .customLong("field-of-view"),
    help: "Horizontal field of view of image and depth map in degrees, if unstated; must be equal for both.")
  var fieldOfView: Double?
  @OptionGroup var hints: ScanInput
  @OptionGroup var assets: AssetOptions
  @Flag(help: "Print one JSON object per input.")
  var json = false

  func validate() throws {
    if inputs.isEmpty { throw ValidationError("Name a scan.") }
    if let fieldOfView, !(10...150).contains(fieldOfView) {
      throw ValidationError("--field-of-view is 10 to 150 degrees.")
    }
  }

  func run() async throws {
    try await Terminal.reporting {
      let tracker = try await Tracker.make(assets, smoothing: false)
      var isMissing = false
      for input in inputs {
        do {
          let measures = try await hints.open(input) { scan in
            var progress = Terminal.Progress()
            return try await FaceMeasurementRun.make(scan, with: tracker, fieldOfView: fieldOfView) {
              progress.show($0, of: $1, what: "of \(input)")
            }
          }
          try Terminal.say(json ? measures.json(input) : measures.words(input))
          isMissing = isMissing || measures.rows.isEmpty
        } catch let error as ScanError {
          throw OperationError("\(input): \(error.description)")
        } catch let error as FaceTrackingError {
          throw OperationError("\(input): \(error.reason)")
        }
      }
      if isMissing { throw ExitCode(1) }
    }
  }
}
