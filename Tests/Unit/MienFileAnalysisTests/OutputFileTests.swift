import Foundation
import MienFiles
import Testing

@Suite struct `Output files` {
  private static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-output-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private static func type(of path: String) throws -> FileAttributeType? {
    try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
  }

  /// A program run as root would otherwise replace /dev/null for everybody. The device is opened through a link, so that a failure
  /// replaces the link only.
  @Test(arguments: [false, true]) func `a device stays a device`(isStreamed: Bool) throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let link = folder.appendingPathComponent("null").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/null")
    if isStreamed {
      let file = try AtomicFile(link)
      try file.append([1, 2, 3])
      #expect(try file.commit() == 3)
    } else {
      try OutputFile.write([1, 2, 3], to: link)
    }
    #expect(try Self.type(of: link) == .typeSymbolicLink)
    #expect(try Self.type(of: "/dev/null") == .typeCharacterSpecial)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["null"])
  }

  @Test func `a file appears when it is complete`() throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("made/out.bin").path
    let file = try AtomicFile(path)
    try file.append([1])
    #expect(!FileManager.default.fileExists(atPath: path))
    try file.append([2, 3])
    #expect(try file.commit() == 3)
    #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
    try OutputFile.write([4], to: path)
    #expect(FileManager.default.contents(atPath: path) == Data([4]))
  }

  @Test func `an incomplete file leaves nothing`() throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    do { try AtomicFile(folder.appendingPathComponent("out.bin").path).append([1]) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }
}
