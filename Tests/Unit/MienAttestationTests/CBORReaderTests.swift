import MienTestSupport
import Testing

@testable import MienAttestation

@Suite struct `CBOR reader` {
  @Test func `every item type is read`() throws {
    let item = SampleCBOR.map([
      (SampleCBOR.text("ü"), SampleCBOR.array([SampleCBOR.number(23), SampleCBOR.number(24), SampleCBOR.number(-7)])),
      (SampleCBOR.number(-1), SampleCBOR.bytes([UInt8](repeating: 9, count: 300))),
      (SampleCBOR.text(""), SampleCBOR.head(0, .max)), (SampleCBOR.number(3), SampleCBOR.number(70_000)),
    ])
    let value = try CBORReader.whole(item)
    #expect(value["ü"] == .array([.unsigned(23), .unsigned(24), .negative(6)]))
    #expect(value[.number(-1)] == .bytes([UInt8](repeating: 9, count: 300)))
    #expect(value[""] == .unsigned(.max) && value[.number(3)] == .unsigned(70_000))
    #expect(value["x"] == nil && value.textKeys == nil)
  }

  @Test(arguments: [
    ([], CBORError.Reason.truncated, 0),
    ([0x18], .truncated, 1), ([0x59, 0x01], .truncated, 1), ([0x42, 0x01], .truncated, 1),
    ([0x5B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .truncated, 9),
    ([0x7B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .truncated, 9),
    ([0x9B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .tooMany, 0),
    ([0xBA, 0xFF, 0xFF, 0xFF, 0xFF], .tooMany, 0),
    ([0x5F, 0x41, 0x00, 0xFF], .indefinite, 0), ([0x9F, 0xFF], .indefinite, 0), ([0xBF, 0xFF], .indefinite, 0),
    ([0x18, 0x17], .notShortest, 0), ([0x19, 0x00, 0xFF], .notShortest, 0),
    ([0x1A, 0x00, 0x00, 0xFF, 0xFF], .notShortest, 0), ([0x58, 0x01, 0x00], .notShortest, 0),
    ([0x1B, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF], .notShortest, 0),
    ([0xC0, 0x00], .unsupported, 0), ([0xF6], .unsupported, 0), ([0xFB, 0, 0, 0, 0, 0, 0, 0, 0], .unsupported, 0),
    ([0x1C], .unsupported, 0), ([0x1E], .unsupported, 0),
    ([0x61, 0xFF], .notText, 0), ([0x62, 0xC0, 0x80], .notText, 0),
    ([0xA2, 0x01, 0x02, 0x01, 0x03], .duplicate, 3), ([0xA2, 0x61, 0x61, 0x02, 0x61, 0x61, 0x03], .duplicate, 4),
    ([0x00, 0x00], .behind, 1), ([0x80, 0xFF], .behind, 1),
  ])
  func `non-canonical input is rejected with its offset`(bytes: [UInt8], reason: CBORError.Reason, byte: Int) {
    let fault = #expect(throws: CBORError.self) { try CBORReader.whole(bytes) }
    #expect(fault == CBORError(reason: reason, byte: byte))
  }

  @Test(arguments: [UInt8(0x81), 0xA1])
  func `nesting depth is limited`(opening: UInt8) throws {
    func nested(_ depth: Int) -> [UInt8] {
      (0..<depth).flatMap { _ in opening == 0xA1 ? [opening, 0x00] : [opening] } + [0x00]
    }
    _ = try CBORReader.whole(nested(CBORReader.maximumDepth))
    for depth in [CBORReader.maximumDepth + 1, 10_000] {
      let fault = #expect(throws: CBORError.self) { try CBORReader.whole(nested(depth)) }
      #expect(fault?.reason == .tooDeep)
    }
  }

  @Test func `the number of items is limited regardless of nesting`() throws {
    let row = SampleCBOR.array([[UInt8]](repeating: [0], count: 15))
    let few = SampleCBOR.array([[UInt8]](repeating: row, count: 15))
    _ = try CBORReader.whole(few)
    let fault = #expect(throws: CBORError.self) {
      try CBORReader.whole(SampleCBOR.array([[UInt8]](repeating: row, count: 17)))
    }
    #expect(fault?.reason == .tooMany)
  }
}
