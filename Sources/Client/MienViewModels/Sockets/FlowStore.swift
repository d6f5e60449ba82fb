/// Persistent storage for a few small values by name.
public protocol FlowStore: Sendable {
  /// Returns the value, or `nil` if there is none or it cannot be read.
  func read(_ name: String) -> [UInt8]?
  /// Saves a value; `nil` deletes it.
  ///
  /// - Throws: ``ViewError/lowStorage`` if the disk is full, any other error if the value cannot be saved.
  func write(_ name: String, _ value: [UInt8]?) throws
}
