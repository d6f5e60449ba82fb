import MienTestGenerators
import Foundation
import MienTestSupport
import Testing

@testable import MienServer

/// Timestamps in responses.
@Suite struct `Timestamps` {
  @Test(arguments: [
    (Int64(0), "1970-01-01T00:00:00.000Z"), (1_767_225_600_007, "2026-01-01T00:00:00.007Z"),
    (951_782_399_999, "2000-02-28T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    (4_107_542_399_999, "2100-02-28T23:59:59.999Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
    (-1, "1969-12-31T23:59:59.999Z"), (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
    (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (Int64.max, "9999-12-31T23:59:59.999Z"),
    (Int64.min, "0000-01-01T00:00:00.000Z"),
  ])
  func `dates are RFC 3339 in UTC with milliseconds`(milliseconds: Int64, text: String) {
    #expect(ISO8601.rfc3339(milliseconds: milliseconds) == text)
  }

  @Test func `dates agree with Foundation across four centuries and at random times`() {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    var generator = SplitMixGenerator(seed: 7)
    for day in stride(from: Int64(0), to: 146_097, by: 3) {
      // Quarters of a second, which Foundation's seconds represent exactly.
      let milliseconds = day * 86_400_000 + Int64.random(in: 0..<345_600, using: &generator) * 250
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      #expect(ISO8601.rfc3339(milliseconds: milliseconds) == date.formatted(style))
    }
  }
}
