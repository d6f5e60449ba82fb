public import MienCore

/// Native measures of one depth capture over the face region; lengths in millimeters.
///
/// A flat sheet is near zero in all four shape measures. A sheet bent in one direction (a photo around a tube, folded or wavy) has relief
/// and deviates from any plane, but stays near zero in `sheetResidual`; no sheet can follow the surface of a face.
/// Documentation/reference/DepthGate.md lists measurements of real boards and faces.
public struct DepthMeasures: Hashable, Sendable {
  /// Protrusion of the nose relative to the cheeks, perpendicular to the best plane of the face: 95th percentile of the center minus the
  /// mean of the two cheek medians.
  public let noseRelief: Double
  /// Root mean square distance from the best plane, excluding the worst-fitting tenth.
  public let planeResidual: Double
  /// Root mean square distance from the best bent sheet, that is, any profile extruded along any straight direction (a general cylinder),
  /// excluding the worst-fitting tenth.
  public let sheetResidual: Double
  /// Protrusion of the center of the face relative to its rim, between medians, perpendicular to the best plane.
  public let centerToRim: Double
  /// Fraction of the face's cells with a usable depth, 0…1.
  public let validFraction: Double
  /// Median distance of the center of the face from the camera.
  public let distance: Double

  public init(
    noseRelief: Double, planeResidual: Double, sheetResidual: Double, centerToRim: Double, validFraction: Double,
    distance: Double
  ) {
    self.noseRelief = noseRelief
    self.planeResidual = planeResidual
    self.sheetResidual = sheetResidual
    self.centerToRim = centerToRim
    self.validFraction = validFraction
    self.distance = distance
  }
}

/// Result of measuring a depth capture.
public enum DepthMeasurementResult: Hashable, Sendable {
  case measured(DepthMeasures)
  case notAssessed(UnavailableReason)
}

extension DepthMeasurementResult {
  /// Measures `frame` over its face box; a pure function of the frame.
  public init(_ frame: DepthFrame, settings: DepthMeasuringSettings = .standard) {
    guard let face = FaceDepthPatch(frame, settings), let plane = RobustPlaneFit(face.cells, trimmed: settings.trimmed)
    else {
      self = .notAssessed(.tooLittleValidDepth)
      return
    }
    let surface = plane.surface(of: face.cells)
    // Regions in fractions of the half box: u to the right, v down, r from the center.
    let middle = surface.heights { abs($0.u) < 0.35 && abs($0.v) < 0.4 }
    let left = surface.heights { $0.u > -0.7 && $0.u < -0.45 && abs($0.v) < 0.3 }
    let right = surface.heights { $0.u > 0.45 && $0.u < 0.7 && abs($0.v) < 0.3 }
    let core = surface.heights { $0.radius < 0.3 }
    let rim = surface.heights { $0.radius > 0.75 }
    guard let nose = middle.quantile(0.95), let leftCheek = left.quantile(0.5), let rightCheek = right.quantile(0.5),
      let inside = core.quantile(0.5), let outside = rim.quantile(0.5),
      let sheet = CylinderFit(surface, trimmed: settings.trimmed)
    else {
      self = .notAssessed(.tooLittleValidDepth)
      return
    }
    self = .measured(
      DepthMeasures(
        noseRelief: nose - (leftCheek + rightCheek) / 2, planeResidual: plane.residual, sheetResidual: sheet.residual,
        centerToRim: inside - outside, validFraction: face.validFraction, distance: face.distance))
  }
}

extension DepthMeasures: CustomStringConvertible, CustomReflectable {
  public var description: String { "DepthMeasures(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension DepthMeasurementResult: CustomStringConvertible, CustomReflectable {
  public var description: String { "DepthMeasurementResult(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension DepthMeasures: BinaryStateValue {
  public static var blank: DepthMeasures {
    DepthMeasures(
      noseRelief: .nan, planeResidual: .nan, sheetResidual: .nan, centerToRim: .nan, validFraction: .nan, distance: .nan
    )
  }
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var shape = SIMD4(noseRelief, planeResidual, sheetResidual, centerToRim)
    var view = SIMD2(validFraction, distance)
    coder.pass(&shape)
    coder.pass(&view)
    self = DepthMeasures(
      noseRelief: shape.x, planeResidual: shape.y, sheetResidual: shape.z, centerToRim: shape.w,
      validFraction: view.x, distance: view.y)
  }
}

/// Settings for measuring depth over a face. The initializer validates every value.
public struct DepthMeasuringSettings: Hashable, Sendable {
  /// Number of cells along each side of the grid over the face box; each cell is the median of up to 3×3 samples, 16…128.
  public let grid: Int
  /// Maximum difference in depth from the center of the face, mm, 40…500. Other samples are noise or background.
  public let depthWindow: Double
  /// Minimum fraction of the face's cells that have depth, 0.1…1.
  public let minimumValidFraction: Double
  /// Fraction of the worst-fitting cells that a fit excludes, such as noise and hair, 0…0.4.
  public let trimmed: Double

  /// Returns `nil` if a value is outside its documented range.
  public init?(grid: Int = 48, depthWindow: Double = 120, minimumValidFraction: Double = 0.5, trimmed: Double = 0.1) {
    guard (16...128).contains(grid), (40...500).contains(depthWindow), (0.1...1).contains(minimumValidFraction),
      (0...0.4).contains(trimmed)
    else { return nil }
    self.grid = grid
    self.depthWindow = depthWindow
    self.minimumValidFraction = minimumValidFraction
    self.trimmed = trimmed
  }

  /// Default settings.
  public static let standard: DepthMeasuringSettings = {
    guard let settings = DepthMeasuringSettings() else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }()
}
