public import MienAvatars
public import MienMessageService
internal import MienPlatform

/// Images of messages for tests: a message ID as text stands for an image that shows it, and there are no sprite sheets.
public struct TextImages: MessageImageDecoding, AvatarSource {
  public let names = ["bear"]

  public init() {}

  public func number(in bytes: [UInt8]) throws -> MessageIDDetector.Reading {
    MessageID(text: String(decoding: bytes, as: UTF8.self)).map { .pixels($0) } ?? .damaged
  }

  public func sheet(of png: [UInt8]) throws -> SpriteSheet { throw ServiceError(.notAImage, "no sheet") }

  public func sheet(_ name: String) throws -> SpriteSheet { throw StoreError(.missing, reason: "no images") }
}
