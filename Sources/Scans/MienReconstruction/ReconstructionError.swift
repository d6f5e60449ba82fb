/// Error that prevented a reconstruction.
public struct ReconstructionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kind of error. Further kinds may be added.
  public struct Code: Hashable, Sendable {
    fileprivate enum Kind { case tooLarge, mapTooLarge, nothingMeasured, tooManyVertices, lost }
    fileprivate let kind: Kind

    /// The scene needs more voxel blocks than the settings allow.
    public static let tooLarge = Code(kind: .tooLarge)
    /// A depth map has more than four million samples.
    public static let mapTooLarge = Code(kind: .mapTooLarge)
    /// No sample remained after filtering, or no surface was observed often enough.
    public static let nothingMeasured = Code(kind: .nothingMeasured)
    /// The mesh has more vertices than its format can index.
    public static let tooManyVertices = Code(kind: .tooManyVertices)
    /// Camera tracking was lost.
    public static let lost = Code(kind: .lost)
  }

  public let code: Code
  /// Human-readable message of one sentence.
  public let reason: String

  public init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  public static func == (left: ReconstructionError, right: ReconstructionError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { reason }
}
