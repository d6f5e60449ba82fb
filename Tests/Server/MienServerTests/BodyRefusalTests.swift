import Foundation
import Testing

@testable import MienServer

@Suite struct `Body decoding errors` {
  private enum Kind: String, Decodable {
    case face
    case object
  }
  private struct Body: Decodable {
    let kind: Kind
    let sizes: [UInt8]
  }

  @Test(
    arguments: [
      (#"{"kind": "face""#, "The body is not valid JSON."), (#"{"sizes": []}"#, "\"kind\" is missing."),
      (#"{"kind": 7, "sizes": []}"#, "The value of \"kind\" has the wrong type."),
      (
        #"{"kind": "<b>animal</b>", "sizes": []}"#,
        "The value of \"kind\" is not allowed here; /openapi.json lists the allowed values."
      ),
      (#"{"kind": "object", "sizes": [1, "x"]}"#, "The value of \"sizes.Index 1\" has the wrong type."),
    ])
  func `an error names the location and never the value`(body: String, words: String) throws {
    let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Body.self, from: Data(body.utf8)) }
    #expect(error.map(RequestParsing.describe) == words)
  }
}
