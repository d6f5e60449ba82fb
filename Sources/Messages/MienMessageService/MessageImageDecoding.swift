public import MienAvatars

/// Decodes untrusted images for messages; the service's interface to decoders. Both functions have limits of their own,
/// and throw ``ServiceError`` for anything but a supported image.
public struct MessageImageDecoding: Sendable {
  let number: @Sendable ([UInt8]) throws -> MessageIDDetector.Reading
  let sheet: @Sendable ([UInt8]) throws -> SpriteSheet

  /// - Parameters:
  ///   - number: looks for a message ID in a GIF, PNG or JPEG.
  ///   - sheet: creates an avatar from a PNG with six sprites.
  public init(
    number: @Sendable @escaping ([UInt8]) throws -> MessageIDDetector.Reading,
    sheet: @Sendable @escaping ([UInt8]) throws -> SpriteSheet
  ) {
    self.number = number
    self.sheet = sheet
  }
}
