/// Face in the camera picture before and during a scan.
public struct ScanFace: Hashable, Sendable {
  /// Left, top, width and height as fractions of the upright picture; the origin is the top left corner.
  public var box: SIMD4<Float>
  /// Distance in meters; `nil` if the device does not measure it.
  public var distance: Float?

  /// Recommended distance in meters.
  public static let range: ClosedRange<Float> = 0.3...1.0

  public init(box: SIMD4<Float>, distance: Float? = nil) {
    self.box = box
    self.distance = distance
  }

  /// Advice about the distance; `nil` if it is good or unknown.
  public var advice: LocalizedText? {
    guard let distance else { return nil }
    if distance < Self.range.lowerBound { return LocalizedText("hint.too-close") }
    return distance > Self.range.upperBound ? LocalizedText("hint.too-far") : nil
  }

  /// `true` if the distance is recommended; `nil` if it is unknown.
  public var isInRange: Bool? { distance.map { Self.range.contains($0) } }
}

extension ScanFace {
  /// Magnification and shift of the camera's picture that bring the face to its middle without leaving a part of the view
  /// empty.
  public struct Centering: Hashable, Sendable {
    /// Magnification about the middle of the picture, from 1.
    public var scale: Float
    /// Shift to the right and downward, as fractions of the view, after the magnification.
    public var shift: SIMD2<Float>

    /// The picture as it is.
    public static let none = Centering(scale: 1, shift: .zero)
  }

  /// Greatest magnification: more would hide the surroundings of the face.
  static let greatestScale: Float = 1.3

  /// Centering of the picture on the face; a face far from the middle is only moved toward it.
  public var centering: Centering {
    let offset = SIMD2<Float>(0.5 - (box.x + box.z / 2), 0.5 - (box.y + box.w / 2))
    guard offset.x.isFinite, offset.y.isFinite else { return .none }
    let far = max(abs(offset.x), abs(offset.y))
    let scale = far >= 0.5 ? Self.greatestScale : min(Self.greatestScale, 1 / (1 - 2 * far))
    // The picture can be moved by as much as the magnification adds at each side.
    let most = (scale - 1) / 2
    return Centering(
      scale: scale,
      shift: (scale * offset).clamped(lowerBound: .init(repeating: -most), upperBound: .init(repeating: most)))
  }
}

extension ScanFace: CustomStringConvertible, CustomReflectable {
  public var description: String { "ScanFace(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Small picture of a depth map: one byte a pixel, row by row, bright is near, 0 is not measured.
public struct DepthPreview: Hashable, Sendable {
  public var width: Int
  public var height: Int
  public var gray: [UInt8]

  /// Returns `nil` if the number of pixels does not match the size.
  public init?(width: Int, height: Int, gray: [UInt8]) {
    guard width > 0, height > 0, gray.count == width * height else { return nil }
    (self.width, self.height, self.gray) = (width, height, gray)
  }
}

extension DepthPreview: CustomStringConvertible, CustomReflectable {
  public var description: String { "DepthPreview(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
