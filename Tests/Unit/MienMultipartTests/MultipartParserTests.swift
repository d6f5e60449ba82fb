import MienTestGenerators
import MienMultipart
import Testing

/// Three parts: a file, a text, and one whose content resembles delimiters.
private let sample = lines(
  "--xYz", "Content-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"", "Content-Type: image/jpeg", "",
  "\u{1}\u{2}\r\r\n\n--xY\r\n-xYz\r\n--xYZ--\r\n--x\r\n", "--xYz", "content-disposition:form-data;name=text", "", "",
  "--xYz", "Content-Disposition: form-data; name=\"c\"", "", "--xYy", "--xYz--", "")
private let sampleParts = [
  ReadPart(
    "photo", "\u{1}\u{2}\r\r\n\n--xY\r\n-xYz\r\n--xYZ--\r\n--x\r\n", fileName: "a.jpg", type: "image/jpeg"),
  ReadPart("text", ""), ReadPart("c", "--xYy"),
]

@Suite struct `Multipart parser` {
  @Test func `parts are returned in order with their content`() throws {
    #expect(try read(sample) == sampleParts)
  }

  @Test func `the result does not depend on how the stream is split`() throws {
    for size in 1...sample.count { #expect(try read(sample, by: size) == sampleParts, "in chunks of \(size)") }
  }

  @Test func `a truncated form is rejected`() throws {
    let close = Array("--xYz--".utf8)
    for end in 0..<sample.count - 2 {
      for size in [1, 7, .max] {
        let error = #expect(throws: MultipartError.self, "after \(end) bytes") {
          try read(Array(sample[..<end]), by: size)
        }
        #expect(error?.code == .truncated)
      }
    }
    #expect(sample[..<(sample.count - 2)].suffix(close.count) == close[...], "the rest still has its closing delimiter")
    #expect(try read(Array(sample[..<(sample.count - 2)])) == sampleParts)
  }

  @Test(
    arguments: [
      (lines("--xYz--"), []),
      (lines("--xYz--", "anything"), []),
      (
        lines(
          "read me", "--xYz-", "--xYz", "Content-Disposition: form-data; name=a", "", "1", "--xYz--", "bye", "--xYz"),
        nil
      ),
      (
        lines("read me", "", "--xYz", "Content-Disposition: form-data; name=a", "", "1", "--xYz--", "--xYz", "x"),
        [ReadPart("a", "1")]
      ),
      (lines("", "--xYz", "Content-Disposition: form-data; name=a", "", "1", "--xYz--"), [ReadPart("a", "1")]),
      (lines("--xYz \t ", "Content-Disposition: form-data; name=a", "", "1", "--xYz-- \t", ""), [ReadPart("a", "1")]),
      // A part without content: in RFC 2046 the line break before the delimiter may be the one that ends the headers.
      (lines("--xYz", "Content-Disposition: form-data; name=a", "", "--xYz--"), [ReadPart("a", "")]),
      (lines("--xYz", "Content-Disposition: form-data; name=a", "", "", "--xYz--"), [ReadPart("a", "")]),
      (lines("--xYz", "Content-Disposition: form-data; name=a", "", "", "", "--xYz--"), [ReadPart("a", "\r\n")]),
      // Duplicate parts are both reported: the caller decides.
      (
        lines(
          "--xYz", "Content-Disposition: form-data; name=a", "", "1", "--xYz", "Content-Disposition: form-data; name=a",
          "",
          "2", "--xYz--"), [ReadPart("a", "1"), ReadPart("a", "2")]
      ),
      // Headers in any order and case, with a length that is ignored.
      (
        lines(
          "--xYz", "CONTENT-LENGTH: 9999", "content-type:  text/html ; charset=\"x;y\" ",
          "X-Thing: \u{fc}", "Content-disposition: FORM-DATA ; NAME = \"a\" ;", "", "1", "--xYz--"),
        [ReadPart("a", "1", type: "text/html ; charset=\"x;y\"")]
      ),
    ] as [([UInt8], [ReadPart]?)])
  func `valid forms are read`(form: [UInt8], parts: [ReadPart]?) throws {
    for size in [1, 3, .max] {
      guard let parts else {
        let error = #expect(throws: MultipartError.self) { try read(form, by: size) }
        #expect(error?.code == .badDelimiter)
        continue
      }
      #expect(try read(form, by: size) == parts)
    }
  }

  @Test(
    arguments: [
      (lines("--xYzz", "Content-Disposition: form-data; name=a", "", "1", "--xYz--"), .badDelimiter),
      (lines("--xYz-", ""), .badDelimiter),
      (lines("--xYz -", ""), .badDelimiter),
      (Array("--xYz\nContent-Disposition: form-data; name=a\n\n1\n--xYz--\n".utf8), .badDelimiter),
      (Array("--xYz\r\nContent-Disposition: form-data; name=a\n\r\n1".utf8), .badHeader),
      (Array("--xYz\rX".utf8), .badDelimiter),
      (lines("--xYz", "", "1", "--xYz--"), .noName),
      (lines("--xYz", "Content-Type: text/plain", "", "1", "--xYz--"), .noName),
      (lines("--xYz", "Content-Disposition: attachment; name=a", "", "1", "--xYz--"), .noName),
      (lines("--xYz", "Content-Disposition: form-data; filename=a", "", "1", "--xYz--"), .noName),
      (lines("--xYz", "Content-Disposition: form-data; name=a; name=b", "", "1", "--xYz--"), .noName),
      (
        lines("--xYz", "Content-Disposition: form-data; name=a; filename=b; filename=c", "", "1", "--xYz--"), .badHeader
      ),
      (lines("--xYz", "Content-Disposition: form-data; name=\"a", "", "1", "--xYz--"), .badHeader),
      (lines("--xYz", "Content-Disposition: form-data; name=", "", "1", "--xYz--"), .badHeader),
      (lines("--xYz", "Content-Disposition: form-data;", " name=a", "", "1", "--xYz--"), .badHeader),
      (lines("--xYz", "Content-Disposition: form-data; name=a", "no colon", "", "1", "--xYz--"), .badHeader),
      (lines("--xYz", "Content-Disposition : form-data; name=a", "", "1", "--xYz--"), .badHeader),
      (lines("--xYz", "Content-Disposition: form-data; name=a\u{0}", "", "1", "--xYz--"), .badHeader),
      (
        lines(
          "--xYz", "Content-Disposition: form-data; name=a", "Content-Disposition: form-data; name=b", "", "1",
          "--xYz--"),
        .badHeader
      ),
      (
        Array("--xYz\r\nContent-Disposition: form-data; name=\"".utf8) + [0xFF] + Array("\"\r\n\r\n1\r\n--xYz--".utf8),
        .badHeader
      ),
      (
        lines(
          "--xYz", "Content-Disposition: form-data; name=a", "Content-Transfer-Encoding: base64", "", "MQ==", "--xYz--"),
        .transferEncoding
      ),
    ] as [([UInt8], MultipartError.Code)])
  func `an invalid form is rejected with its error`(form: [UInt8], code: MultipartError.Code) throws {
    for size in [1, 5, .max] {
      let error = #expect(throws: MultipartError.self) { try read(form, by: size) }
      #expect(error?.code == code)
      #expect(error?.description.isEmpty == false)
    }
  }

  @Test func `an error is repeated on further input`() throws {
    let boundary = try #require(MultipartBoundary("xYz"))
    var machine = MultipartParser(boundary: boundary)
    let bad = ContiguousArray(lines("--xYz", "no colon", "", ""))
    let good = ContiguousArray(lines("--xYz--"))
    var place = 0
    let first = #expect(throws: MultipartError.self) { _ = try machine.next(in: bad.span, at: &place) }
    place = 0
    let second = #expect(throws: MultipartError.self) { _ = try machine.next(in: good.span, at: &place) }
    let third = #expect(throws: MultipartError.self) { try machine.finish() }
    #expect(first?.code == .badHeader && first == second && second == third)
  }
}

@Suite struct `Multipart limits` {
  static let part = ["--xYz", "Content-Disposition: form-data; name=a", "", "1"]

  @Test func `the number of parts is limited`() throws {
    let two = Array((Self.part + Self.part + ["--xYz--"]).joined(separator: "\r\n").utf8)
    #expect(try read(two, limits: MultipartLimits(parts: 2)).count == 2)
    let error = #expect(throws: MultipartError.self) { try read(two, limits: MultipartLimits(parts: 1)) }
    #expect(error?.code == .tooLarge && error?.part == 1)
  }

  @Test func `header sizes are limited, complete or partial`() throws {
    let header = "Content-Disposition: form-data; name=a\r\n\r\n"
    let form = Array("--xYz\r\n\(header)1\r\n--xYz--".utf8)
    #expect(try read(form, by: 1, limits: MultipartLimits(headerBytes: header.utf8.count)).count == 1)
    let error = #expect(throws: MultipartError.self) {
      try read(form, by: 1, limits: MultipartLimits(headerBytes: header.utf8.count - 1))
    }
    #expect(error?.code == .tooLarge)
  }

  @Test(arguments: [1, 4, .max]) func `bytes outside of parts are limited`(size: Int) throws {
    let limits = MultipartLimits(idleBytes: 20)
    let empty = Array("--xYz--".utf8)
    #expect(try read(Array("\(String(repeating: "-", count: 18))\r\n".utf8) + empty, by: size, limits: limits) == [])
    for form in [
      [UInt8](repeating: 45, count: 21) + lines("", "") + empty, empty + [UInt8](repeating: 45, count: 21),
      Array("--xYz".utf8) + [UInt8](repeating: 32, count: 21),
    ] {
      let error = #expect(throws: MultipartError.self) { try read(form, by: size, limits: limits) }
      #expect(error?.code == .tooLarge)
    }
  }
}

@Suite struct `Delimiter search` {
  /// Contents over an alphabet with many partial delimiters, compared with a naive search.
  @Test(arguments: ["-", "--", "a-a-a", "aab", "xYz", String(repeating: "-", count: 70)])
  func `results match a naive search`(boundary: String) throws {
    var generator = SplitMixGenerator(seed: 7)
    let delimiter = Array("\r\n--\(boundary)".utf8)
    for _ in 0..<300 {
      var content: [UInt8] = []
      while content.count < 60 {
        let cut = Int(generator.next() % UInt64(delimiter.count))
        content += delimiter[..<cut] + [delimiter[Int(generator.next() % UInt64(delimiter.count))]]
      }
      guard !contains(delimiter, in: Array("\r\n".utf8) + content) else { continue }
      let head = Array("--\(boundary)\r\nContent-Disposition: form-data; name=a\r\n\r\n".utf8)
      let form = head + content + delimiter + [45, 45]
      let size = 1 + Int(generator.next() % 40)
      #expect(
        try read(form, boundary: boundary, by: size) == [ReadPart("a", String(decoding: content, as: UTF8.self))])
    }
  }

  private func contains(_ pattern: [UInt8], in text: [UInt8]) -> Bool {
    guard text.count >= pattern.count else { return false }
    return (0...text.count - pattern.count).contains { text[$0..<$0 + pattern.count].elementsEqual(pattern) }
  }
}
