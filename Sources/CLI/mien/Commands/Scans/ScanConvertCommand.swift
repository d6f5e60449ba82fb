import ArgumentParser
import Foundation
import MienScanFormat
import MienFiles
import MienScanFiles
import MienScanPipeline

/// `mien scan convert`: converts a scan of any format to a bundle, or to a folder or an archive of another format.
struct ScanConvertCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Convert a scan to a bundle (.mienscan) or another format.",
    discussion: """
      --to writes a folder in the format of an app or benchmark, and --to r3d a single Record3D file; data that the format \
      cannot hold is reported. The output appears only when it is complete, so the command can be interrupted at any \
      time.

      Exit status: 0 all scans written, 2 a scan was not written, 64 usage error.
      """)

  @Argument(help: "Scans: files or folders.", completion: .file())
  var inputs: [String]
  @Option(
    name: .shortAndLong, help: "Bundle, archive, or folder to write, or a folder for several inputs.",
    completion: .file())
  var output: String
  @Option(help: "Depth encoding of a bundle: dense (smallest), quick, or plain.")
  var coding: ScanWriter.Coding = .dense
  @Option(
    name: [.customLong("to"), .customLong("format")],
    help: "Write another format instead: \(ScanExportFormat.allCases.map(\.rawValue).joined(separator: ", ")).")
  var format: ScanExportFormat?
  @OptionGroup var hints: ScanInput
  @Flag(help: "Print one JSON object per input.")
  var json = false

  func validate() throws {
    if inputs.isEmpty { throw ValidationError("Name a scan.") }
  }

  func run() async throws {
    try await Terminal.reporting {
      for input in inputs {
        let name = URL(fileURLWithPath: input).deletingPathExtension().lastPathComponent
        do {
          if let format {
            try await export(
              input, as: format,
              to: inputs.count == 1 ? output : output + "/" + name + (format.isArchive ? "." + format.rawValue : ""))
          } else {
            try await convert(input, to: inputs.count == 1 ? output : output + "/" + name + ".mienscan")
          }
        } catch let error as ScanError {
          throw OperationError("\(input): \(error.description)")
        }
      }
    }
  }

  private func convert(_ input: String, to target: String) async throws {
    try await hints.open(input) { try write($0, of: input, to: target) }
  }

  private func write(_ scan: ScanImporter, of input: String, to target: String) throws {
    var progress = Terminal.Progress()
    let (length, frames) = try ScanConversion.writeBundle(
      of: scan, coding: coding, to: target, onLeftOut: { Terminal.note("\(input): \($0)") }
    ) {
      progress.show($0, of: $1, what: "of \(input)")
    }
    if json {
      try Terminal.say(JSONText.make(["input": input, "output": target, "bytes": "\(length)"]))
    } else {
      try Terminal.say("\(target): \(frames) frames, \(scan.imageCount) pictures, \(length) bytes")
    }
  }

  private func export(_ input: String, as format: ScanExportFormat, to target: String) async throws {
    try await hints.open(input) { try export($0, of: input, as: format, to: target) }
  }

  private func export(
    _ scan: ScanImporter, of input: String, as format: ScanExportFormat, to target: String
  ) throws {
    var progress = Terminal.Progress()
    let exported = try ScanConversion.export(
      scan, named: input, as: format, to: target, onLeftOut: { Terminal.note("\(input): \($0)") }
    ) {
      progress.show($0, of: $1, what: "of \(input)")
    }
    for note in exported.notes { Terminal.note("\(target): \(note)") }
    if json {
      try Terminal.say(JSONText.make(["input": input, "output": target, "format": format.rawValue]))
    } else {
      try Terminal.say("\(target): \(exported.frames) frames as \(format.rawValue)")
    }
  }
}
