public import MienAvatars

/// Reads strangers' pictures for messages; the service's socket for decoders. Both keep to limits of their own, and throw
/// ``ServiceError`` for what is no such picture.
public struct MessageImageDecoding: Sendable {
  let number: @Sendable ([UInt8]) throws -> MessageIDDetector.Reading
  let sheet: @Sendable ([UInt8]) throws -> SpriteSheet

  /// - Parameters:
  ///   - number: looks for a number in a GIF, PNG or JPEG.
  ///   - sheet: makes an avatar of a PNG of six sprites.
  public init(
    number: @Sendable @escaping ([UInt8]) throws -> MessageIDDetector.Reading,
    sheet: @Sendable @escaping ([UInt8]) throws -> SpriteSheet
  ) {
    self.number = number
    self.sheet = sheet
  }
}
