/// Where flows keep what outlives them: a few small values by name.
public protocol FlowStore: Sendable {
  /// The value, or nil when there is none or it cannot be read.
  func read(_ name: String) -> [UInt8]?
  /// Keeps a value; nil removes it.
  ///
  /// - Throws: ``ViewError/lowStorage`` when there is no room, anything else when it cannot be kept.
  func write(_ name: String, _ value: [UInt8]?) throws
}
