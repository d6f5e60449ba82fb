import ArgumentParser
import Foundation
import MienAuthenticity
import MienCodecs
import MienFileAnalysis
import MienFiles
import MienImaging
import MienRuntime
import MienTracking

/// `mien analyze`: reports signs that a photo was taken of a screen or a print instead of a real scene.
struct AnalyzeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze", abstract: "Detect signs that a photo shows a screen or a print.",
    discussion: """
      Findings are evidence with known error rates (Documentation/guides/Photos.md), not proof. Exit status: 0 all images \
      analyzed, 2 an image cannot be read, 64 usage error. If the face models are installed, checks that say nothing about \
      faces are left out where a face fills the image, bands are measured beside people, and parallax is left out. If the \
      photo network is installed, the texture check uses it (version 5 of the check, otherwise 4).
      """)

  @Argument(help: "Images: JPEG, PNG, HEIC, AVIF or WebP.", completion: .file())
  var photos: [String]
  @Option(help: "Depth map of a single image: a 16-bit grayscale PNG; 0 means no depth.", completion: .file())
  var depth: String?
  @Option(help: "Micrometers per step of the depth map.")
  var depthUnit = 1000
  @Option(
    parsing: .upToNextOption,
    help: "Images of a burst of the same scene, in chronological order and of equal size: three or more.",
    completion: .file())
  var burst: [String] = []
  @Option(help: "A clip of the same scene instead: MP4 or WebM; the first 5 seconds are used.", completion: .file())
  var clip: String?
  @Flag(help: "Print JSON, one object per line.")
  var json = false
  @Option(help: "Write a report of a single image to this file.", completion: .file())
  var report: String?
  @OptionGroup var assets: AssetOptions

  func validate() throws {
    guard !photos.isEmpty else { throw ValidationError("Give at least one picture.") }
    guard photos.count == 1 || (depth == nil && report == nil && burst.isEmpty && clip == nil) else {
      throw ValidationError("--depth, --burst, --clip and --report are for one picture.")
    }
    guard burst.isEmpty || clip == nil else { throw ValidationError("Give either --burst or --clip.") }
    guard (1...1_000_000).contains(depthUnit) else {
      throw ValidationError("--depth-unit is 1 to 1000000 micrometers.")
    }
  }

  func run() async throws {
    try await Terminal.reporting {
      let frames = try await BurstFiles(images: burst, clip: clip).frames()
      try await analyze(frames)
    }
  }

  private func analyze(_ frames: [BurstFrame]) async throws {
    let depthMap = try depth.map { try PhotoFile.depth($0, micrometers: depthUnit) }
    let analyzer = CaptureAnalyzer()
    let faces = await Tracker.locator(assets)
    let network = TextureNetwork(models: assets.location.models)
    var failed = false
    do {
      for photo in photos {
        do {
          var scene = try await PhotoFile.scene(photo)
          if let depthMap { scene.depth = depthMap }
          scene.burst = frames
          if let faces { scene = await faces.locatingFaces(in: scene) }
          scene = await network.addingFeatures(to: scene)
          let (results, parts) = analyzer.timedAnalysis(of: scene)
          let embedded = try PhotoFile.embeddedImages(photo)
          if json {
            try Terminal.say(JSONText.make(Reply(path: photo, embedded: embedded, results: results)))
          } else {
            for line in AnalysisFormatter.lines(photo, results, embedded: embedded) { try Terminal.say(line) }
          }
          if let report {
            let page = try AnalysisReport.page(photo, results, analyzer.visualizations(scene.image, from: parts))
            try Data(page.utf8).write(to: URL(fileURLWithPath: report), options: .atomic)
          }
        } catch let error as OperationError where photos.count > 1 {
          Terminal.note("\(error)")
          failed = true
        }
      }
    } catch let error as ImageCodecError {
      throw OperationError(error.reason)
    } catch let error as CocoaError {
      throw OperationError("the report cannot be written: \(error.fileReason)")
    }
    if failed { throw ExitCode(2) }
  }

  private struct Reply: Encodable {
    let path: String
    let embedded: [String]
    let results: DetectionResults

    private enum CodingKeys: String, CodingKey { case path, embedded }

    func encode(to encoder: any Encoder) throws {
      var box = encoder.container(keyedBy: CodingKeys.self)
      try box.encode(path, forKey: .path)
      if !embedded.isEmpty { try box.encode(embedded, forKey: .embedded) }
      try results.encode(to: encoder)
    }
  }
}
