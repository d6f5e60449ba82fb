import MienTestGenerators
import Foundation
import MienAvatars
import MienExpressions
import MienImaging
import Testing

@Suite struct `GIF reader` {
  static let gif: [UInt8] = {
    var generator = SplitMixGenerator(seed: 6)
    guard let sheet = try? SpriteSheet(expressions: Drawing.expressions, rest: Drawing.rest),
      let sequence = try? ExpressionSequence(text: "smile,wink_r,smooch")
    else { return [] }
    return sheet.animation(of: sequence, code: MessageID(using: &generator))
  }()

  @Test func `a truncated file is read up to its end`() throws {
    let full = Self.gif.count
    var shown: [Int] = []
    for length in stride(from: full, through: 0, by: -max(1, full / 20)) {
      do {
        let reader = try GIFReader(Array(Self.gif.prefix(length)))
        #expect(reader.isTruncated == (length < full))
        var count = 0
        try reader.forEachImage { _, _ in
          count += 1
          return true
        }
        shown.append(count)
      } catch {
        #expect([.truncated, .notAGIF].contains(error.code))
        shown.append(0)
      }
    }
    #expect(shown.first == 7 && shown.last == 0 && shown == shown.sorted(by: >))
  }

  @Test(arguments: 1...12) func `mutated files are read or rejected without trapping`(_ seed: UInt64) {
    var generator = SplitMixGenerator(seed: seed)
    for _ in 0..<12 {
      var mutant = Self.gif
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let place = Int.random(in: 0..<(Bool.random(using: &generator) ? mutant.count : 1200), using: &generator)
        mutant[place] = UInt8.random(in: 0...255, using: &generator)
      }
      do {
        let reader = try GIFReader(mutant, limits: GIFLimits(pixels: 200_000, pixelsInAll: 1_000_000))
        try reader.forEachImage { frame, delay in
          #expect(frame.pixels.count == frame.width * frame.height && delay >= 0)
          return true
        }
      } catch {
        #expect(!error.reason.isEmpty)
      }
    }
  }

  @Test func `limits are enforced before memory is allocated`() {
    for limits in [
      GIFLimits(bytes: 1000), GIFLimits(pixels: 65_535), GIFLimits(images: 6), GIFLimits(pixelsInAll: 70_000),
    ] {
      let refusal = #expect(throws: AvatarError.self) { try GIFReader(Self.gif, limits: limits) }
      #expect(refusal?.code == .tooLarge)
    }
    #expect(throws: Never.self) { try GIFReader(Self.gif, limits: GIFLimits(pixels: 65_536, images: 7)) }
  }
}

/// Public test suites for GIF decoders.
@Suite(.enabled(if: Places.hasShared("GIF suites")))
struct `GIF conformance files` {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    var testDescription: String { name }
  }

  static let pygif: [Case] = {
    guard let folder = Places.shared?.appendingPathComponent("gif/pygif"),
      let list = try? String(contentsOf: folder.appendingPathComponent("TESTS"), encoding: .utf8)
    else { return [] }
    return list.split(separator: "\n").map { Case(name: String($0)) }
  }()

  /// Converts pixels to the suite's format: red, green, blue, opacity; zero for transparent pixels.
  private func rgba(_ frame: Frame) -> [UInt32] { frame.pixels.map { $0.packed >> 24 == 0 ? 0 : $0.packed } }

  @Test(arguments: pygif) func `each file decodes as expected or is rejected`(_ row: Case) throws {
    let folder = try #require(Places.shared).appendingPathComponent("gif/pygif")
    var values: [String: [String: String]] = [:]
    var section = ""
    for line in try String(contentsOf: folder.appendingPathComponent(row.name + ".conf"), encoding: .utf8).split(
      separator: "\n")
    {
      if line.hasPrefix("[") {
        section = String(line.dropFirst().dropLast())
      } else if let sign = line.range(of: " = ") {
        values[section, default: [:]][String(line[..<sign.lowerBound])] = String(line[sign.upperBound...])
      }
    }
    let config = try #require(values["config"])
    let expected = (config["frames"] ?? "").split(separator: ",").map(String.init)
    let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(try #require(config["input"]))))
    var shown: [(pixels: [UInt32], delay: Int)] = []
    let reader: GIFReader
    do {
      reader = try GIFReader(bytes)
      try reader.forEachImage {
        shown.append((rgba($0), $1))
        return true
      }
    } catch {
      #expect(!error.reason.isEmpty)
      // A canvas without frames has no image; two files end within their color tables.
      let empty: Set = ["no-data", "image-zero-height", "image-zero-size"]
      #expect(expected.isEmpty || empty.contains(row.name), "\(error)")
      return
    }
    // Its only frame is the background of the text; the suite does not define the rendered text.
    if row.name == "plain-text" { return }
    #expect("\(reader.width)" == config["width"] && "\(reader.height)" == config["height"])
    if config["force-animation"] != "yes" {
      // Frames without a delay belong to the following one; only this suite requires that.
      shown = shown.enumerated().filter { $0.offset == shown.count - 1 || $0.element.delay > 0 }.map(\.element)
    }
    #expect(shown.count == expected.count)
    for (image, name) in zip(shown, expected) {
      let wanted = try #require(values[name])
      guard let pixels = wanted["pixels"] else { continue }
      let data = [UInt8](try Data(contentsOf: folder.appendingPathComponent(pixels)))
      let words = stride(from: 0, to: data.count, by: 4).map { place -> UInt32 in
        guard data[place + 3] != 0 else { return 0 }
        return (0..<4).reduce(UInt32(0)) { $0 | UInt32(data[place + $1]) << UInt32(8 * $1) }
      }
      #expect(image.pixels == words, "\(name)")
      if let delay = wanted["delay"] { #expect("\(image.delay)" == delay) }
    }
    switch config["force-animation"] == "yes" ? nil : config["loop-count"] {
    case nil: break  // The suite adds information that the file does not contain.
    case "infinite": #expect(reader.loopCount == 0)
    case "0": #expect(reader.loopCount == nil)
    case let count: #expect(reader.loopCount.map { "\($0)" } == count)
    }
    if let comment = config["comment"], comment.allSatisfy({ $0.isASCII && $0 != "\\" }) {
      #expect(reader.comments.map { "'" + String(decoding: $0, as: UTF8.self) + "'" } == [comment])
    }
  }
}
