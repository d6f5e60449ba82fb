import MienWebhooks
import Testing

@Suite struct `Internet addresses` {
  @Test(
    arguments: [
      [0, 0, 0, 0], [0, 1, 2, 3], [10, 0, 0, 1], [10, 255, 255, 255], [100, 64, 0, 1], [100, 127, 255, 255],
      [127, 0, 0, 1], [127, 255, 255, 254], [169, 254, 169, 254], [172, 16, 0, 1], [172, 31, 255, 255], [192, 0, 0, 8],
      [192, 0, 2, 1], [192, 88, 99, 1], [192, 168, 0, 1], [198, 18, 0, 1], [198, 19, 255, 255], [198, 51, 100, 7],
      [203, 0, 113, 7], [224, 0, 0, 1], [239, 255, 255, 255], [240, 0, 0, 1], [255, 255, 255, 255],
    ] as [[UInt8]]) func `non-public IPv4 addresses are recognized`(bytes: [UInt8]) throws
  {
    #expect(try !#require(InternetAddress(bytes: bytes)).isPublic)
  }

  @Test(
    arguments: [
      [1, 1, 1, 1], [9, 255, 255, 255], [11, 0, 0, 1], [100, 63, 255, 255], [100, 128, 0, 0], [126, 255, 255, 255],
      [128, 0, 0, 1], [169, 253, 0, 1], [169, 255, 0, 1], [172, 15, 255, 255], [172, 32, 0, 0], [192, 167, 255, 255],
      [192, 169, 0, 0], [198, 17, 255, 255], [198, 20, 0, 0], [223, 255, 255, 255],
    ] as [[UInt8]]) func `public IPv4 addresses are recognized`(bytes: [UInt8]) throws
  {
    #expect(try #require(InternetAddress(bytes: bytes)).isPublic)
  }

  /// Returns an IPv6 address from its first groups and its last four bytes.
  private func version6(_ groups: [UInt16], _ end: [UInt8]) throws -> InternetAddress {
    var bytes = groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    bytes += [UInt8](repeating: 0, count: 12 - bytes.count) + end
    return try #require(InternetAddress(bytes: bytes))
  }

  @Test(
    arguments: [
      [], [0, 0, 0, 0, 0, 0xFFFF], [0x64, 0xFF9B], [0x64, 0xFF9B, 1], [0x100], [0xFC00], [0xFD12], [0xFE80], [0xFEC0],
      [0xFF02], [0x2001], [0x2001, 0x1FF], [0x2001, 0xDB8], [0x2002, 0x7F00, 1], [0x3FFF], [0x3FFF, 0x0FFF], [0x5F00],
      [0x4000], [0x1FFF],
    ] as [[UInt16]]) func `non-public IPv6 addresses are recognized`(groups: [UInt16]) throws
  {
    for end in [[0, 0, 0, 0], [0, 0, 0, 1], [127, 0, 0, 1], [8, 8, 8, 8]] as [[UInt8]] {
      #expect(try !version6(groups, end).isPublic)
    }
  }

  @Test(arguments: [
    [0x2606, 0x4700], [0x2A00, 0x1450], [0x2001, 0x200], [0x2001, 0xDB9], [0x3FFF, 0x1000], [0x2003],
  ])
  func `public IPv6 addresses are recognized`(groups: [UInt16]) throws {
    #expect(try version6(groups, [0, 0, 0, 1]).isPublic)
  }

  @Test func `addresses are formatted for a connection`() throws {
    #expect("\(try #require(InternetAddress(bytes: [127, 0, 0, 1])))" == "127.0.0.1")
    #expect("\(try version6([0x2001, 0xDB8, 0, 0xA], [1, 2, 0, 3]))" == "2001:db8:0:a:0:0:102:3")
    #expect(InternetAddress(bytes: [1, 2, 3]) == nil)
  }
}
