import MienPlatform
import Testing

@testable import MienServer

/// URLs to which the page of a check may return a person.
@Suite struct `Return addresses` {
  private static let origins: Set<String> = ["https://shop.example", "http://127.0.0.1:8000"]

  @Test(arguments: [
    "https://shop.example", "https://shop.example/", "https://shop.example/orders/7?step=2&x=%20",
    "https://shop.example?a=b",
    "http://127.0.0.1:8000/back",
  ]) func `addresses of an allowed origin are accepted`(text: String) throws {
    #expect(try ReturnAddress.validated(text, origins: Self.origins) == text)
  }

  @Test(arguments: [
    "https://shop.example.evil.example/", "https://shop.example@evil.example/", "https://shop.example:8443/",
    "http://shop.example/", "https://evil.example/?https://shop.example/", "//shop.example/", "/back",
    "javascript:alert(1)",
    "HTTPS://shop.example/", "", "http://127.0.0.1/back",
  ]) func `addresses of other origins are refused`(text: String) {
    let error = #expect(throws: ServiceError.self) { try ReturnAddress.validated(text, origins: Self.origins) }
    #expect(error?.code == .forbidden)
  }

  @Test(arguments: [
    "https://shop.example/#part", "https://shop.example/ /x", "https://shop.example/\\evil", "https://shop.example/\n",
    "https://shop.example/ä", "https://shop.example/" + String(repeating: "a", count: 1024),
  ]) func `texts that are no address are refused`(text: String) {
    let error = #expect(throws: ServiceError.self) { try ReturnAddress.validated(text, origins: Self.origins) }
    #expect(error?.code == .badValue)
  }

  @Test func `no address is accepted by default`() {
    #expect(throws: ServiceError.self) {
      try ReturnAddress.validated("https://shop.example/", origins: ServerSettings().returnOrigins)
    }
  }
}
