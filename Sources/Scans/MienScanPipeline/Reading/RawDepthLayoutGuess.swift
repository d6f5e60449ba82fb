internal import MienScanFormat
internal import MienScanFiles

/// Guesses the layout of raw depth maps from a phone app that does not describe them: landscape orientation, a size
/// used by phones, and values that are plausible distances.
enum RawDepthLayoutGuess {
  private static let sizes = [(256, 192), (320, 240), (640, 480), (768, 576), (960, 720)]

  /// Adds the layout to the hints if frame length and values determine it unambiguously; otherwise leaves them
  /// unchanged.
  static func guess(_ file: any ByteSource, into hints: inout ScanImporter.Hints) {
    let bytes = file.count
    guard hints.size == nil, hints.samples == nil, let frames = hints.frameCount, frames > 0, bytes % frames == 0,
      let (size, width) = layout(of: bytes / frames)
    else { return }
    if width == 4 {
      (hints.size, hints.samples) = (size, .float32)
      return
    }
    // Frame in the middle of the file.
    let start = bytes / frames * (frames / 2)
    let samples = samples(file.bytes(start..<start + bytes / frames))
    // Distances of 0.1 to 9 m have bit patterns that hardly overlap as whole millimeters and as half-precision floats.
    let measured = samples.filter { $0 > 0 }
    let whole = measured.count { (100...9000).contains($0) }
    let half = measured.count { (0x2E66...0x4880).contains($0) }
    guard measured.count >= 100 else { return }
    if whole * 10 >= measured.count * 9, half * 2 < measured.count {
      (hints.size, hints.samples) = (size, .whole16)
    } else if half * 10 >= measured.count * 9, whole * 2 < measured.count {
      (hints.size, hints.samples) = (size, .float16)
    }
  }

  /// Returns the size and the bytes per sample that fit a frame of `frame` bytes, or `nil`.
  private static func layout(of frame: Int) -> (size: (Int, Int), width: Int)? {
    for size in sizes {
      for width in [2, 4] where size.0 * size.1 * width == frame { return (size, width) }
    }
    return nil
  }

  private static func samples(_ bytes: [UInt8]) -> [UInt16] {
    stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
  }
}
