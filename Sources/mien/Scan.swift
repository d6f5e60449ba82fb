import ArgumentParser

/// `mien scan`: depth scans.
struct Scan: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan", abstract: "Depth scans: surfaces and pictures of them.",
    subcommands: [ScanReconstruct.self, ScanRender.self])
}
