import Foundation

/// Runs a closure with a new folder, and deletes the folder afterward.
func withTemporaryDirectory<Value>(_ work: (String) async throws -> Value) async throws -> Value {
  let folder = FileManager.default.temporaryDirectory.path + "/mien-runtime-\(UUID().uuidString)"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try await work(folder)
}

/// Returns the permission bits of a file or folder.
func mode(of path: String) throws -> Int {
  let attributes = try FileManager.default.attributesOfItem(atPath: path)
  return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
}

/// Sets the permission bits of a file or folder.
func setMode(_ mode: Int, of path: String) throws {
  try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}
