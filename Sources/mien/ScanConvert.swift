import ArgumentParser
import Foundation
import MienDepth
import MienScanFiles

/// `mien scan convert`: a scan of any format becomes a bundle, or a folder of another format.
struct ScanConvert: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Turn a scan into a bundle (.mienscan) or another format.",
    discussion: """
      With --to a folder is written as an app or a benchmark writes it; what the format cannot hold is told. What is \
      written appears under its name once it is whole; it can be stopped at any time.

      Exit 0 when every scan was written, 2 when one could not be, 64 usage.
      """)

  @Argument(help: "Scans: files or folders.", completion: .file())
  var inputs: [String]
  @Option(
    name: .shortAndLong, help: "The bundle or folder to write, or a folder for several inputs.", completion: .file())
  var output: String
  @Option(help: "How a bundle's depth is coded: dense (smallest), quick, plain.")
  var coding: ScanWriter.Coding = .dense
  @Option(
    name: .customLong("to"),
    help: "Write a folder instead: \(ScanExportFormat.allCases.map(\.rawValue).joined(separator: ", ")).")
  var format: ScanExportFormat?
  @OptionGroup var hints: ScanInput
  @Flag(help: "Print one JSON object for each input.")
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
            try export(input, as: format, to: inputs.count == 1 ? output : output + "/" + name)
          } else {
            try convert(input, to: inputs.count == 1 ? output : output + "/" + name + ".mienscan")
          }
        } catch let error as ScanError {
          throw ToolError("\(input): \(error.description)")
        }
      }
    }
  }

  private func convert(_ input: String, to target: String) throws {
    let scan = try hints.open(input)
    for note in scan.notes { Terminal.note("\(input): \(note)") }
    var progress = Terminal.Progress()
    let file = try WholeFile(target)
    var writer = ScanWriter(scan.header, coding: coding)
    try file.append(writer.start())
    var cursor = scan.cursor()
    for number in 0..<scan.frameCount {
      try Task.checkCancellation()
      try file.append(try writer.append(try cursor.frame(at: number)))
      progress.show(number + 1, of: scan.frameCount, what: "of \(input)")
    }
    for number in 0..<scan.pictureCount { try file.append(try writer.append(try scan.picture(at: number))) }
    try file.append(writer.finish())
    let length = try file.keep()
    if json {
      try Terminal.say(JSONText.make(["input": input, "output": target, "bytes": "\(length)"]))
    } else {
      try Terminal.say("\(target): \(scan.frameCount) frames, \(scan.pictureCount) pictures, \(length) bytes")
    }
  }
}

extension ScanConvert {
  private func export(_ input: String, as format: ScanExportFormat, to target: String) throws {
    let scan = try hints.open(input)
    for note in scan.notes { Terminal.note("\(input): \(note)") }
    var progress = Terminal.Progress()
    let folder = try WholeFolder(target)
    var exporter = ScanExporter(format, scan.header)
    var cursor = scan.cursor()
    for number in 0..<scan.frameCount {
      try Task.checkCancellation()
      for file in try exporter.add(try cursor.frame(at: number)) { try folder.write(file.bytes, file.name) }
      progress.show(number + 1, of: scan.frameCount, what: "of \(input)")
    }
    for number in 0..<scan.pictureCount {
      for file in exporter.add(try scan.picture(at: number)) { try folder.write(file.bytes, file.name) }
    }
    for file in exporter.finish() { try folder.write(file.bytes, file.name) }
    try folder.keep()
    for note in exporter.notes { Terminal.note("\(target): \(note)") }
    if json {
      try Terminal.say(JSONText.make(["input": input, "output": target, "format": format.rawValue]))
    } else {
      try Terminal.say("\(target): \(scan.frameCount) frames as \(format.rawValue)")
    }
  }
}

/// A file that appears under its name when it is whole, and not at all before.
final class WholeFile {
  private let path: String
  private let draft: URL
  private let handle: FileHandle
  private var length = 0
  private var isKept = false

  init(_ path: String) throws {
    self.path = path
    let target = URL(fileURLWithPath: path)
    draft = target.deletingLastPathComponent().appendingPathComponent(".\(target.lastPathComponent).\(getpid())")
    do {
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      guard FileManager.default.createFile(atPath: draft.path, contents: nil) else {
        throw CocoaError(.fileWriteUnknown)
      }
      handle = try FileHandle(forWritingTo: draft)
    } catch {
      throw ToolError("\(path) cannot be written: \(Terminal.reason(error))")
    }
  }

  func append(_ bytes: [UInt8]) throws {
    do { try handle.write(contentsOf: bytes) } catch {
      throw ToolError("\(path) cannot be written: \(Terminal.reason(error))")
    }
    length += bytes.count
  }

  /// Puts the file in its place; returns its length.
  func keep() throws -> Int {
    do {
      try handle.synchronize()
      try handle.close()
    } catch { throw ToolError("\(path) cannot be written: \(Terminal.reason(error))") }
    guard unsafe rename(draft.path, path) == 0 else { throw ToolError("\(path) cannot be written.") }
    isKept = true
    return length
  }

  deinit {
    if !isKept { try? FileManager.default.removeItem(at: draft) }
  }
}
