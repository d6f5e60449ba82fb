public import MienAvatars

/// Decodes untrusted images for messages, within limits of its own.
public protocol MessageImageDecoding: Sendable {
  /// Looks for a message ID in a GIF, PNG or JPEG.
  ///
  /// - Throws: ``ServiceError`` for anything but a supported image.
  func number(in bytes: [UInt8]) throws -> MessageIDDetector.Reading

  /// Creates an avatar from a PNG with six sprites.
  ///
  /// - Throws: ``ServiceError`` for anything but a supported image.
  func sheet(of png: [UInt8]) throws -> SpriteSheet
}

/// The avatars of a server.
public protocol AvatarSource: Sendable {
  var names: [String] { get }

  /// Loads the sheet of one of ``names``.
  func sheet(_ name: String) throws -> SpriteSheet
}
