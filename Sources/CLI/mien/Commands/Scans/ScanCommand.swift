import ArgumentParser

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
