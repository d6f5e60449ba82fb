public import MienAuthenticity
public import MienCaptures
public import MienImaging

/// Decoder of captures for tests, to which every file is unreadable.
public struct UnreadableCaptures: CaptureDecoding {
  private struct Unreadable: Error {}

  public let headBytes = 0

  public init() {}

  public func image(_ bytes: [UInt8]) async throws -> CaptureInput { throw Unreadable() }
  public func imageType(of head: [UInt8]) throws -> String { throw Unreadable() }
  public func provenance(of head: [UInt8]) -> ImageProvenance { ImageProvenance() }
  public func depth(_ bytes: [UInt8]) throws -> CaptureDepthMap { throw Unreadable() }
  public func burst(_ files: [[UInt8]]) throws -> [Plane] { throw Unreadable() }
  public func clip(_ bytes: [UInt8]) async throws -> [BurstFrame] { throw Unreadable() }
  public func png(_ frame: Frame) throws -> [UInt8] { throw Unreadable() }
}
