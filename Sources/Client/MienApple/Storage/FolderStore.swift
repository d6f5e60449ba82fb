public import Foundation
public import MienViewModels

/// Stores small values in one file each. On a phone, the app's data protection class determines their protection.
public struct FolderStore: FlowStore {
  private let folder: URL

  /// - Parameter folder: created if it does not exist.
  public init(_ folder: URL) {
    self.folder = folder
  }

  public func read(_ name: String) -> [UInt8]? {
    guard let place = place(name), let data = try? Data(contentsOf: place) else { return nil }
    return Array(data)
  }

  public func write(_ name: String, _ value: [UInt8]?) throws {
    guard let place = place(name) else { throw ViewError.lowStorage }
    guard let value else {
      if FileManager.default.fileExists(atPath: place.path) { try FileManager.default.removeItem(at: place) }
      return
    }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(value).write(to: place, options: .atomic)
    } catch {
      throw ViewError.lowStorage
    }
  }

  /// Returns the file of a value, or `nil` for an invalid name, such as one with path separators.
  private func place(_ name: String) -> URL? {
    guard !name.isEmpty, name.count <= 64, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
    else { return nil }
    return folder.appendingPathComponent("\(name).json")
  }
}
