/// Error of reading or encoding a video. It contains nothing about the content.
public struct VideoError: Error, CustomStringConvertible {
  public let reason: String

  public init(_ reason: String) { self.reason = reason }

  public var description: String { reason }
}
