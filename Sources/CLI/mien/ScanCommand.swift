import ArgumentParser

/// `mien scan`: commands for depth scans.
struct ScanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Depth scans: what they hold, bundles, surfaces and pictures of them, and sending them.",
    subcommands: [
      ScanInfoCommand.self, ScanConvertCommand.self, ScanCheckCommand.self, ScanReconstructCommand.self,
      ScanRenderCommand.self, ScanMeasureCommand.self,
      UploadScanCommand.self,
    ])
}
