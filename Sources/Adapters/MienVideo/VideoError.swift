/// Why there is no film; says nothing of what is on it.
public struct VideoError: Error, CustomStringConvertible {
  public let reason: String

  public init(_ reason: String) { self.reason = reason }

  public var description: String { reason }
}
