/// Native values of the bona fide images in the evaluation, used to report how unusual a new value is.
enum BonaFideScoreDistribution {
  /// Returns the share of bona fide images with this or a greater native value (more like a recapture) as a 95 %
  /// interval, or nil for checks that were not evaluated.
  ///
  /// Between stored quantiles, the share is bounded by the neighboring quantiles; Wilson's score interval then adds the
  /// uncertainty of the sample size. Quantiles equal to the value belong to images that have it and do not count as
  /// below.
  ///
  /// - Parameter version: version of the check that found the value.
  static func interval(
    _ check: CheckName, version: String = "", native: Double
  ) -> CrossValidationReport.Interval? {
    let isWithoutNetwork = check == .texture && version == TextureCheck.versionWithoutNetwork
    guard let table = isWithoutNetwork ? textureWithoutNetwork : tables[check], table.count > 1 else { return nil }
    let images = check == .texture ? textureImages : images
    let steps = Double(table.count - 1)
    let below = Double(table.count { $0 < native })
    let (least, most) = (max(0, 1 - below / steps), min(1, 1 - (below - 1) / steps))
    return CrossValidationReport.Interval(
      check: check, lower: wilson(least, of: images, upper: false),
      upper: wilson(most, of: images, upper: true))
  }

  private static func wilson(_ share: Double, of images: Int, upper: Bool) -> Double {
    let (z, n) = (1.959_964, Double(images))
    let center = share + z * z / (2 * n)
    let reach = z * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    return min(max((center + (upper ? reach : -reach)) / (1 + z * z / n), 0), 1)
  }
}

extension BonaFideScoreDistribution {
  /// Number of bona fide images from which the tables were computed.
  static let images = 126
  /// Number of bona fide images from which the tables of the texture check were computed.
  static let textureImages = 442
  /// As in ``tables``, for the texture check without its network.
  static let textureWithoutNetwork = [
    -5.108, -3.750, -3.301, -3.042, -2.855, -2.636, -2.495, -2.309, -2.131, -1.914, -1.663, -1.407, -1.197, -1.015,
    -0.817, -0.586, -0.303, -0.048, 0.282, 1.087, 3.679,
  ]
  /// Quantiles of the native value per check, evenly spaced from minimum to maximum (for texture: with the image's
  /// source held out of training).
  static let tables: [CheckName: [Double]] = [
    .texture: [
      -4.899, -3.478, -3.096, -2.866, -2.583, -2.317, -2.130, -1.973, -1.804, -1.690, -1.530, -1.415, -1.237, -1.109,
      -0.956, -0.782, -0.538, -0.361, -0.008, 0.745, 2.540,
    ],
    .moire: [
      1.159, 1.479, 1.518, 1.55, 1.571, 1.587, 1.613, 1.63, 1.643, 1.672, 1.704, 1.735, 1.754, 1.777, 1.79, 1.813,
      1.832,
      1.888, 1.989, 2.054, 4.623,
    ],
    .banding: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.298, 1.56, 4.872, 7.757, 11.103, 40.528],
    .bezel: [
      1.562, 14.648, 23.828, 27.93, 30.469, 32.112, 35.902, 37.5, 39.241, 42.857, 44.338, 46.132, 46.667, 47.974,
      49.675,
      51.864, 53.906, 58.5, 67.188, 84.037, 100,
    ],
  ]
}
