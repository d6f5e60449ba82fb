public import MienCore

/// The column format of a face's position in an image: left edge, top edge, width and height.
public struct FaceBoxRecord: Codable, Sendable {
  public let box: FaceBox

  public init(_ box: FaceBox) { self.box = box }

  public init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    box = FaceBox(
      x: try list.decode(Float.self), y: try list.decode(Float.self), width: try list.decode(Float.self),
      height: try list.decode(Float.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for number in [box.x, box.y, box.width, box.height] { try list.encode(number) }
  }
}
