internal import MienScanFormat

/// Depth map of COLMAP's dense reconstruction (`stereo/depth_maps/NAME.geometric.bin`): the text `width&height&1&`, then
/// little-endian 32-bit floats, row by row; 0 for none.
enum COLMAPDepthMap {
  static let ending = ".bin"

  /// - Throws: ``ScanError``: `damaged` for data that is not such a map, `tooMuch` for one with more samples than a map
  ///   may have.
  static func read(
    _ bytes: [UInt8], _ name: String, frame: Int
  ) throws(ScanError) -> (width: Int, height: Int, samples: [Float]) {
    let damaged = ScanError(.damaged, "\(name) is not a valid COLMAP depth map", frame: frame)
    let parts = bytes.prefix(longestHead).split(
      separator: UInt8(ascii: "&"), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4 else { throw damaged }
    let numbers = parts[..<3].map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    let (width, height) = (numbers[0], numbers[1])
    guard numbers[2] == 1, (1...4096).contains(width), (1...4096).contains(height) else { throw damaged }
    guard width * height <= ScanHeader.largestArea else {
      throw ScanError(.tooMuch, "\(name) is \(width)×\(height)", frame: frame)
    }
    let content = bytes[parts[3].startIndex...]
    guard content.count == 4 * width * height else { throw damaged }
    return (width, height, DepthQuantizer.floats(content, half: false))
  }

  private static let longestHead = 32
}
