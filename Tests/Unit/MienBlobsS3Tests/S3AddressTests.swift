import NIOHTTP1
import Testing

@testable import MienBlobsS3

@Suite struct `S3 addresses` {
  @Test(arguments: [
    ("s3://faces?region=eu-central-1", "https://faces.s3.eu-central-1.amazonaws.com/k", ""),
    ("s3://faces.of.ours/a/b?region=eu-central-1", "https://s3.eu-central-1.amazonaws.com/faces.of.ours/k", "a/b/"),
    ("s3://faces/a/?endpoint=https://minio.example:9000", "https://minio.example:9000/faces/k", "a/"),
    ("s3://faces?endpoint=http://127.0.0.1:9000/&region=x", "http://127.0.0.1:9000/faces/k", ""),
    ("s3://faces?endpoint=https://s.example:443&style=virtual", "https://faces.s.example/k", ""),
    ("s3://faces?style=path&region=us-east-1", "https://s3.us-east-1.amazonaws.com/faces/k", ""),
  ]) func `valid addresses give the expected URLs`(text: String, url: String, prefix: String) throws {
    let address = try #require(S3Address(text))
    let credentials = try #require(S3Credentials(id: "a", secret: "b"))
    #expect(S3Signer(address: address, credentials: credentials).url(S3Request(.GET, "k")) == url)
    #expect(address.prefix == prefix)
    #expect(address.within("live").prefix == prefix + "live/")
  }

  @Test(arguments: [
    "", "s3://", "s3://ab", "s3://Faces?region=x", "s3://faces", "https://faces?region=x", "s3://faces?region=",
    "s3://faces?region=EU", "s3://key:secret@faces?region=x", "s3://faces:80?region=x", "s3://faces?region=x&region=y",
    "s3://faces?region=x&nonsense=1", "s3://faces/../b?region=x", "s3://faces/a%20b?region=x",
    "s3://faces/a%2f..?region=x",
    "s3://faces?region=x&style=odd", "s3://faces?endpoint=ftp://h", "s3://faces?endpoint=https://h/path",
    "s3://faces?endpoint=https://u:p@h", "s3://faces?endpoint=https://h?x=1", "s3://faces?endpoint=https://h:99999",
    "s3://faces?endpoint=h", "s3://faces?region=x#y", "s3://-faces?region=x", "s3://fa..ces?region=x",
    "s3://faces?endpoint=https://h%0d%0ax", "s3://faces?region=x%0d%0a",
  ]) func `invalid addresses are rejected`(text: String) {
    #expect(S3Address(text) == nil)
  }

  @Test func `the region is taken from the environment where the address names none`() throws {
    #expect(try #require(S3Address("s3://faces", region: "eu-west-1")).region == "eu-west-1")
    #expect(try #require(S3Address("s3://faces?region=x", region: "eu-west-1")).region == "x")
    #expect(try #require(S3Address("s3://faces?endpoint=https://h")).region == "us-east-1")
  }

  @Test func `keys are read from the environment and never printed`() throws {
    let full = ["AWS_ACCESS_KEY_ID": "ada", "AWS_SECRET_ACCESS_KEY": "swordfish", "AWS_SESSION_TOKEN": "herring"]
    let credentials = try #require(S3Credentials(environment: full))
    #expect(credentials.token == "herring")
    var dumped = ""
    dump(credentials, to: &dumped)
    for text in [dumped, "\(credentials)", String(reflecting: credentials)] {
      #expect(!text.contains("swordfish") && !text.contains("herring") && !text.contains("ada"))
    }
    #expect(S3Credentials(environment: full.filter { $0.key != "AWS_SECRET_ACCESS_KEY" }) == nil)
    #expect(S3Credentials(environment: full.merging(["AWS_SESSION_TOKEN": ""]) { $1 })?.token == nil)
    for wrong in ["", "a b", "a\r\nx: y", "é", "a,b"] {
      #expect(S3Credentials(environment: full.merging(["AWS_ACCESS_KEY_ID": wrong]) { $1 }) == nil)
    }
  }
}
