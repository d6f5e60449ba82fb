import ArgumentParser

/// `mien scan`: depth scans.
struct Scan: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan", abstract: "Depth scans: what they hold, bundles, surfaces and pictures of them.",
    subcommands: [
      ScanInfo.self, ScanConvert.self, ScanCheck.self, ScanReconstruct.self, ScanRender.self,
      ScanMeasure.self,
    ])
}
