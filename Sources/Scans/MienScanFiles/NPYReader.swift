internal import MienCodecs
internal import MienScanFormat

/// Reads a depth map from a NumPy array file (`.npy`, NumPy Enhancement Proposal 1, versions 1 to 3): two dimensions,
/// row by row, little-endian integers of 16, 32 or 64 bits, or floats of 16 or 32. Older recordings of Stray Scanner have
/// integers, exports for radiance fields floats.
enum NPYReader {
  /// The header of a two-dimensional array takes a few hundred bytes.
  private static let longestDescription = 4096

  private struct Array2D {
    let kind: Substring
    let width: Int
    let height: Int
    let content: ArraySlice<UInt8>
  }

  private static let integers: [Substring: (bytes: Int, isSigned: Bool)] = [
    "'<u2'": (2, false), "'<u4'": (4, false), "'<u8'": (8, false), "'<i2'": (2, true), "'<i4'": (4, true),
    "'<i8'": (8, true),
  ]
  private static let floats: [Substring: Int] = ["'<f2'": 2, "'<f4'": 4]

  /// Reads integers.
  ///
  /// - Throws: ``ScanError``: `damaged` for data that is not such an array, `refused` for one that is not a depth map,
  ///   `tooMuch` for one with more samples than a map may have.
  static func read(_ bytes: [UInt8], _ name: String, frame: Int) throws(ScanError) -> Gray16Image {
    let array = try array(bytes, name, frame: frame)
    guard let sample = integers[array.kind] else {
      throw ScanError(.refused, "\(name) is not a row-major map of integers", frame: frame)
    }
    let content = array.content
    var samples: [UInt16] = []
    samples.reserveCapacity(array.width * array.height)
    for place in stride(from: content.startIndex, to: content.endIndex, by: sample.bytes) {
      let rest = content[place + 2..<place + sample.bytes]
      let low = UInt16(content[place]) | UInt16(content[place + 1]) << 8
      guard rest.allSatisfy({ $0 == 0 }), !(sample.isSigned && sample.bytes == 2 && low > 0x7FFF) else {
        throw ScanError(.refused, "\(name) has numbers below 0 or above 65535", frame: frame)
      }
      samples.append(low)
    }
    return Gray16Image(width: array.width, height: array.height, samples: samples)
  }

  /// Reads floats; nil for an array of other numbers.
  ///
  /// - Throws: ``ScanError`` as for integers.
  static func readFloats(
    _ bytes: [UInt8], _ name: String, frame: Int
  ) throws(ScanError) -> (width: Int, height: Int, samples: [Float])? {
    let array = try array(bytes, name, frame: frame)
    guard let size = floats[array.kind] else { return nil }
    return (array.width, array.height, DepthQuantizer.floats(array.content, half: size == 2))
  }

  private static func array(_ bytes: [UInt8], _ name: String, frame: Int) throws(ScanError) -> Array2D {
    let damaged = ScanError(.damaged, "\(name) is not a valid NumPy array", frame: frame)
    // Magic number, version, and header length: two bytes in version 1, four in later versions.
    guard bytes.starts(with: [0x93] + Array("NUMPY".utf8)), bytes.count >= 12, (1...3).contains(bytes[6]) else {
      throw damaged
    }
    let start = bytes[6] == 1 ? 10 : 12
    let length = number(bytes[8..<start])
    guard length <= longestDescription, start + length <= bytes.count,
      let description = String(validating: bytes[start..<start + length], as: UTF8.self),
      let kind = value("descr", in: description), let order = value("fortran_order", in: description),
      let shape = value("shape", in: description)
    else { throw damaged }
    let sides = shape.dropFirst().dropLast().split(separator: ",").map { Int($0.drop { $0 == " " }) }
    guard let size = integers[kind]?.bytes ?? floats[kind], order == "False", shape.first == "(", shape.last == ")",
      sides.count == 2, let height = sides[0], let width = sides[1], width > 0, height > 0
    else {
      throw ScanError(.refused, "\(name) is not a row-major map of numbers", frame: frame)
    }
    let (area, isTooLarge) = width.multipliedReportingOverflow(by: height)
    guard !isTooLarge, area <= ScanHeader.largestArea else {
      throw ScanError(.tooMuch, "\(name) is \(width)×\(height)", frame: frame)
    }
    let content = bytes[(start + length)...]
    guard content.count == area * size else { throw damaged }
    return Array2D(kind: kind, width: width, height: height, content: content)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }

  /// Returns the value of a key in the header, a Python dictionary: up to a comma outside of parentheses.
  private static func value(_ name: String, in description: String) -> Substring? {
    let parts = description.split(separator: "'\(name)':", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let rest = parts[1].drop { $0 == " " }
    if rest.first == "(" { return rest.firstIndex(of: ")").map { rest[...$0] } }
    return rest.firstIndex { $0 == "," || $0 == "}" }.map { rest[..<$0] }
  }
}
