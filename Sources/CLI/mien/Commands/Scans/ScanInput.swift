public import ArgumentParser
internal import Foundation
public import MienClient
internal import MienFiles
public import MienReconstruction
public import MienScanFiles
public import MienScanFormat
internal import MienScanPipeline
internal import MienVideo

/// Options that describe the format of a scan without metadata.
struct ScanInput: ParsableArguments {
  @Option(help: "Depth map size, for a depth_scan.bin that does not state it, such as 256x192.")
  var size: ScanSize?
  @Option(help: "Sample format: \(RawDepthFile.Samples.allCases.map(\.rawValue).joined(separator: ", ")).")
  var samples: RawDepthFile.Samples?
  @Option(
    help: """
      Micrometers per sample step of depth images and depth_scan.bin, if not the format's own; floating-point samples are \
      rounded to it.
      """)
  var unit: Int?

  func validate() throws {
    if let unit, !(1...1_000_000).contains(unit) { throw ValidationError("--unit is 1 to 1000000 micrometers.") }
  }

  private var hints: ScanImporter.Hints {
    var hints = ScanImporter.Hints()
    hints.size = size.map { ($0.width, $0.height) }
    hints.samples = samples
    hints.micrometersPerStep = unit
    return hints
  }

  /// Opens a scan without the frames of its video.
  func open(_ path: String) throws -> ScanImporter {
    do {
      let scan = try ScanImporter(path: path, hints: hints)
      try check(scan, path)
      return scan
    } catch let error as ScanError {
      throw OperationError("\(path): \(error.description)")
    }
  }

  /// - Throws: `ValidationError` for an option that the scan's format leaves no room for: ignoring it would result in a
  ///   surface of the wrong size.
  private func check(_ scan: ScanImporter, _ path: String) throws {
    if unit != nil, scan.format == .bundle {
      throw ValidationError("\(path): --unit is not for bundles, which state the unit of their samples.")
    }
    if size != nil || samples != nil, scan.format != .rawDepth {
      let name = scan.format.rawValue
      throw ValidationError("\(path): --size and --samples are for depth_scan.bin; \(name) states both.")
    }
  }

  /// Opens a scan with all its images, prints its diagnostics and runs `work` on it.
  func open<Value>(_ path: String, _ work: (ScanImporter) async throws -> Value) async throws -> Value {
    do {
      return try await VideoBackedScan.open(
        hints, opening: { hints throws(ScanError) in try ScanImporter(path: path, hints: hints) },
        in: .ofCommand
      ) { scan, remarks in
        try check(scan, path)
        for remark in remarks { Terminal.note("\(path): \(remark.words)") }
        return try await work(scan)
      }
    } catch let error as ScanError {
      throw OperationError("\(path): \(error.description)")
    }
  }
}

/// Size in pixels, such as `256x192`.
struct ScanSize: ExpressibleByArgument, Hashable {
  let width: Int
  let height: Int

  init?(argument: String) {
    let parts = argument.lowercased().split(whereSeparator: { $0 == "x" || $0 == "×" }).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1], (1...4096).contains(width),
      (1...4096).contains(height)
    else { return nil }
    self.width = width
    self.height = height
  }
}

// Engine types whose raw values are used as command-line arguments.
extension RawDepthFile.Samples: ExpressibleByArgument {}
extension MeshFormat: ExpressibleByArgument {}
extension ScanExportFormat: ExpressibleByArgument {}
extension ScanWriter.Coding: ExpressibleByArgument {}
extension ScanUpload.Kind: ExpressibleByArgument {}

/// Length argument with a unit: `2mm`, `0.5cm`, `0.002m`; a bare number is in millimeters.
struct LengthArgument: ExpressibleByArgument, Hashable {
  let meters: Float

  init?(argument: String) {
    let text = argument.lowercased()
    let units: [(suffix: String, meters: Double)] = [("mm", 0.001), ("cm", 0.01), ("m", 1), ("", 0.001)]
    guard let unit = units.first(where: { text.hasSuffix($0.suffix) }),
      let number = Double(text.dropLast(unit.suffix.count)), number.isFinite, number > 0
    else { return nil }
    meters = Float(number * unit.meters)
  }
}
