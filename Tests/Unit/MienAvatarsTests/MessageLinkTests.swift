import MienAvatars
import Testing

@Suite struct `Message links` {
  private static let number = "0123-4567-89AB-CTVX"
  private static let key = "abcdefghij-_0123456789"

  @Test(arguments: [
    "0123-4567-89AB-CTVX", "0123456789abctvx", "https://mien.example/decode#0123-4567-89AB-CTVX",
    " o123 4567 89ab ctvx",
  ]) func `a message ID is a link without a key`(_ text: String) throws {
    let link = try #require(MessageLink(text: text))
    #expect(link.id.text == Self.number && link.key == nil && link.text == Self.number)
  }

  @Test(arguments: ["", "https://mien.example/decode#", "http://127.0.0.1:8080/open?lang=de#"])
  func `a key follows the message ID and a slash`(_ address: String) throws {
    let link = try #require(MessageLink(text: "\(address)\(Self.number)/\(Self.key)"))
    #expect(link.id.text == Self.number && link.key == Self.key && link.text == "\(Self.number)/\(Self.key)")
    #expect(!"\(link)".contains(Self.key) && !String(reflecting: link).contains("abc"))
  }

  @Test(arguments: [
    "", "#", "0123-4567-89AB-CTVY", "0123-4567-89AB-CTVX/", "0123-4567-89AB-CTVX/short",
    "0123-4567-89AB-CTVX/abcdefghij-_012345678é", "0123-4567-89AB-CTVX/abcdefghij-_01234567890",
    "/abcdefghij-_0123456789",
  ]) func `anything else is no link`(_ text: String) {
    #expect(MessageLink(text: text) == nil)
  }
}
