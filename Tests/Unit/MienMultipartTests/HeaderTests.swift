import MienMultipart
import Testing

@Suite struct `Form media type` {
  @Test(arguments: [
    ("multipart/form-data; boundary=xYz", "xYz"),
    ("Multipart/Form-Data;BOUNDARY=\"a b:c\"", "a b:c"),
    ("multipart/form-data; charset=utf-8; boundary=----WebKitFormBoundary7MA4YWxk ;", "----WebKitFormBoundary7MA4YWxk"),
    ("multipart/form-data; boundary==:/?'()+_,-.", "=:/?'()+_,-."),
    ("multipart/form-data; boundary=\(String(repeating: "b", count: 70))", String(repeating: "b", count: 70)),
  ])
  func `the boundary is read`(type: String, boundary: String) throws {
    #expect(try MultipartBoundary(contentType: type).description == boundary)
  }

  @Test(arguments: [
    "", "multipart/form-data", "multipart/form-data; boundary", "multipart/form-data; boundary=",
    "multipart/form-data; boundary=\"\"", "multipart/form-data; boundary=a; boundary=a", "multipart/mixed; boundary=a",
    "image/jpeg", "multipart/form-data; boundary=\"a ", "multipart/form-data; boundary=\"a \"",
    "multipart/form-data; boundary=ä", "multipart/form-data boundary=a",
    "multipart/form-data; boundary=\(String(repeating: "b", count: 71))", "multipart/form-data; boundary=a\u{0}b",
  ])
  func `a missing or unusable boundary is rejected`(type: String) {
    let error = #expect(throws: MultipartError.self) { _ = try MultipartBoundary(contentType: type) }
    #expect(error?.code == .noBoundary)
  }
}

@Suite struct `Part headers` {
  private func part(_ disposition: String) throws -> ReadPart? {
    try read(lines("--xYz", "Content-Disposition: form-data; \(disposition)", "", "1", "--xYz--")).first
  }

  @Test(
    arguments: [
      (#"name="photo""#, "photo", nil),
      (#"name="""#, "", nil),
      (#"name="a\"b\\c""#, #"a"b\c"#, nil),
      (#"name="a;b=\"c""#, #"a;b="c"#, nil),
      (#"name="a%22b""#, "a%22b", nil),
      (#"name=a; filename="""#, "a", ""),
      (#"name=a; filename="C:\temp\näive.jpg""#, "a", #"C:\temp\näive.jpg"#),
      (#"name="фото"; filename="猫.jpg""#, "фото", "猫.jpg"),
      ("name=a; filename*=UTF-8''na%C3%AFve%20%F0%9F%8D%95.jpg", "a", "naïve 🍕.jpg"),
      ("name=a; filename=plain.jpg; filename*=utf-8'en'%41.jpg", "a", "A.jpg"),
      ("name=a; filename=plain.jpg; filename*=ISO-8859-1''%E4.jpg", "a", "plain.jpg"),
      ("name=a; filename=plain.jpg; filename*=UTF-8''%E4.jpg", "a", "plain.jpg"),
      ("name=a; filename*=UTF-8''%4", "a", nil),
      (#"filename="b" ; x="y" ; name="a""#, "a", "b"),
    ] as [(String, String, String?)])
  func `name and file name are read`(disposition: String, name: String, fileName: String?) throws {
    let read = try part(disposition)
    #expect(read?.name == name && read?.fileName == fileName && read?.content == "1")
  }

  @Test func `a media type is read without parameters and has a default`() throws {
    let boundary = try #require(MultipartBoundary("xYz"))
    for (type, media) in [
      ("", "text/plain"), ("Content-Type: IMAGE/JPEG; q=1\r\n", "image/jpeg"),
      ("Content-Type: ;\r\n", "application/octet-stream"),
    ] {
      var machine = MultipartParser(boundary: boundary)
      let chunk = ContiguousArray("--xYz\r\n\(type)Content-Disposition: form-data; name=a\r\n\r\n".utf8)
      var place = 0
      guard case .part(let header)? = try machine.next(in: chunk.span, at: &place) else {
        Issue.record("no part was parsed")
        continue
      }
      #expect(header.mediaType == media)
    }
  }
}
