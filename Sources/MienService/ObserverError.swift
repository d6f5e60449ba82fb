public import MienModel

/// Why a frame could not be looked at. Equal by code.
public struct ObserverError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Kind: String { case notAPicture, pictureTooLarge, modelUnavailable, busy }
    fileprivate let kind: Kind
    /// The bytes are no picture of a supported format, or a truncated or corrupt one.
    public static let notAPicture = Code(kind: .notAPicture)
    /// The header claims more pixels than the limit; nothing was decoded.
    public static let pictureTooLarge = Code(kind: .pictureTooLarge)
    /// A model file or the runtime is missing; ``ObserverError/obstacle`` names it.
    public static let modelUnavailable = Code(kind: .modelUnavailable)
    /// Too many frames wait already; try again shortly.
    public static let busy = Code(kind: .busy)
    public var description: String { kind.rawValue }
  }

  public let code: Code
  /// What happened and what to do; free of anything from the picture.
  public let reason: String
  /// Set for ``Code/modelUnavailable``.
  public let obstacle: Obstacle?

  public init(_ code: Code, reason: String, obstacle: Obstacle? = nil) {
    self.code = code
    self.reason = reason
    self.obstacle = obstacle
  }

  public static func == (left: ObserverError, right: ObserverError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { "\(code): \(reason)" }
}
