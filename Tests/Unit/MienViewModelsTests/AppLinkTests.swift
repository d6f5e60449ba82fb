import Foundation
import MienClient
import MienViewModels
import Testing

/// Links that open the app.
@Suite struct `App links` {
  private let server = URL(string: "https://mien.example/face")

  @Test(arguments: [
    ("https://mien.example/face/check#id=chk_1&token=a.b=", AppLink.check(CheckSession(id: "chk_1", token: "a.b="))),
    ("https://MIEN.example:443/face/check/#token=t&id=chk_1", .check(CheckSession(id: "chk_1", token: "t"))),
    ("https://mien.example/face/scan#id=chk_2&token=t", .scan(CheckSession(id: "chk_2", token: "t"))),
    ("https://mien.example/face/check#chk_3.se-cret_9", .handOver(id: "chk_3", secret: "se-cret_9")),
    ("https://mien.example/face/decode#0000-0000-0000-0000", .message("0000-0000-0000-0000")),
    (
      "https://mien.example/face/decode#0000-0000-0000-0000/aaaaaaaaaaaaaaaaaaaaaa",
      .message("0000-0000-0000-0000/aaaaaaaaaaaaaaaaaaaaaa")
    ),
  ]) func `a link of the app's server names its task`(text: String, link: AppLink) throws {
    let url = try #require(URL(string: text))
    #expect(try AppLink(url, server: try #require(server)) == link)
    #expect(!"\(link)".contains("t)") && !String(reflecting: link).contains("chk_1"))
  }

  @Test(arguments: [
    "https://evil.example/face/check#id=chk_1&token=t", "http://mien.example/face/check#id=chk_1&token=t",
    "https://mien.example:8443/face/check#id=chk_1&token=t", "https://user@mien.example/face/check#id=chk_1&token=t",
    "https://mien.example/check#id=chk_1&token=t", "https://mien.example/face/check#id=chk_1",
    "https://mien.example/face/check#id=../x&token=t", "https://mien.example/face/check?id=chk_1&token=t",
    "https://mien.example/face/decode#0000-0000-0000-0001", "https://mien.example/face/check#chk_3.",
    "https://mien.example/face/check#a.b.c",
    "https://mien.example/face/decode#0000-0000-0000-0000/short", "https://mien.example/face/console", "mailto:a@b",
  ]) func `any other link is refused`(text: String) throws {
    let url = try #require(URL(string: text))
    #expect(throws: ViewError.foreignLink) { try AppLink(url, server: try #require(server)) }
  }
}
