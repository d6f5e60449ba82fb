internal import ArgumentParser
internal import Foundation
internal import MienCore
internal import MienFiles
internal import MienScanFiles
internal import MienScanFormat
internal import MienScanPipeline

/// `mien scan info`: describes a scan without grading it.
struct ScanInfoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show a scan's contents.",
    discussion: """
      Reads bundles (.mienscan), folders of 3D Scanner App, Stray Scanner, Polycam (raw data), ARKitScenes and TUM RGB-D, \
      Record3D files (.r3d) and its EXR + RGB export, transforms.json (nerfstudio, NeRFCapture) and COLMAP's models with \
      depth maps, and depth_scan.bin. A frame that cannot be read is left out and reported.

      Exit status: 0 success, 2 not readable, 64 usage error.
      """)

  @Argument(help: "Scans: files or folders.", completion: .file())
  var inputs: [String]
  @OptionGroup var hints: ScanInput
  @Flag(help: "Print one JSON object per input.")
  var json = false

  func run() async throws {
    try await Terminal.reporting {
      for input in inputs {
        let scan = try hints.open(input)
        let facts = try ScanInfoReport(scan, of: input, onLeftOut: Terminal.note)
        try Terminal.say(json ? try facts.json(path: input) : facts.words(path: input))
      }
    }
  }
}

/// `mien scan`: commands for depth scans.
struct ScanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Inspect, convert, assess, measure, reconstruct, render, and upload depth scans.",
    subcommands: [
      ScanInfoCommand.self, ScanConvertCommand.self, ScanCheckCommand.self, ScanReconstructCommand.self,
      ScanRenderCommand.self, ScanMeasureCommand.self,
      UploadScanCommand.self,
    ])
}
