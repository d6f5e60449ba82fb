import Testing

@testable import MienBlobsS3

@Suite struct `S3 XML documents` {
  private func read(_ text: String) throws -> S3XMLNode { try S3XMLNode.read(Array(text.utf8)) }

  @Test func `well-formed documents are read`() throws {
    let page = try read(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/" a='"'>
        <Contents><Key>a&amp;b&lt;&#x2F;&#228;</Key><Size>3</Size></Contents><Contents><Key/></Contents >
        <IsTruncated>false</IsTruncated>
      </ListBucketResult>

      """)
    #expect(page.name == "ListBucketResult" && page["IsTruncated"]?.text == "false")
    #expect(page.all("Contents").compactMap { $0["Key"]?.text } == ["a&b</ä", ""])
  }

  @Test(arguments: [
    "", " ", "text", "<a>", "<a></b>", "<a/><b/>", "<a/>x", "</a>", "<a b></a>", "<a b=c/>", "<a b=\"<\"/>",
    "<a b=\"x/>",
    "<1/>", "<a><!-- x --></a>", "<a><![CDATA[x]]></a>", "<a><?x?></a>", "<!DOCTYPE a><a/>",
    "<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", "<a>&x;</a>", "<a>&amp</a>", "<a>&#0;</a>", "<a>&#xD800;</a>",
    "<a>&#x110000;</a>", "<a>&#99999999;</a>", "<a>&#;</a>", "<a>&#xFFFE;</a>", "<?xml ", "<?xml <a/>",
    "<a b=\"1\"c=\"2\"/>",
    "<a><b><c><d><e><f><g><h><i/></h></g></f></e></d></c></b></a>",
  ]) func `malformed documents are rejected`(text: String) {
    #expect(throws: S3XMLError.self) { _ = try read(text) }
  }

  @Test func `documents that are too large or not UTF-8 are rejected`() throws {
    let large = "<a>" + String(repeating: "x", count: S3XMLNode.maximumBytes) + "</a>"
    #expect(throws: S3XMLError.tooLarge) { _ = try read(large) }
    #expect(throws: S3XMLError.notUTF8) { _ = try S3XMLNode.read(Array("<a>".utf8) + [0xff] + Array("</a>".utf8)) }
  }

  @Test func `an error document gives its code only if it is valid`() {
    func word(_ text: String) -> String? { S3Error.word(Array(text.utf8)) }
    #expect(word("<Error><Code>NoSuchKey</Code><Message>x</Message></Error>") == "NoSuchKey")
    for text in [
      "<Error><Code>a b</Code></Error>", "<Error><Code/></Error>", "<Error/>", "<x><Code>A</Code></x>", "<html>",
    ] {
      #expect(word(text) == nil)
    }
  }
}
