extension BonaFideScoreDistribution {
  /// Number of bona fide images from which the tables were computed.
  static let images = 126
  /// Quantiles of the native value per check, evenly spaced from minimum to maximum (for texture: with the image's
  /// source held out of training).
  static let tables: [CheckName: [Double]] = [
    .texture: [
      -6.198, -5.163, -4.818, -4.653, -3.922, -3.462, -3.24, -2.788, -2.372, -1.891, -1.651, -1.534, -1.293, -1.077,
      -0.974, -0.893, -0.693, -0.464, 0.004, 0.915, 9.168,
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
