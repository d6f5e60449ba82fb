/// Runs the network of the texture check.
public protocol TextureFeatureReading: Sendable {
  /// `false` if the network is missing, so that no capture gets features.
  var isAvailable: Bool { get }
  /// Returns the capture with the features of its image; without them if the image is too small, or the network is
  /// missing or fails: the check then uses its measurements alone.
  func addingFeatures(to capture: CaptureInput) async -> CaptureInput
}

/// Output of the texture check's network for a ``TextureSquare``: the mean and the spread of every channel of three
/// layers. Computed outside of this module, which has no inference runtime.
public struct TextureFeatures: Hashable, Sendable {
  /// Number of channels of each layer.
  public static let channels = [128, 256, 512]
  /// Names of the values: of each layer first the means, then the spreads.
  public static let names: [String] = channels.enumerated().flatMap { layer, count in
    ["mean", "spread"].flatMap { kind in (0..<count).map { "net\(layer + 1).\(kind).\($0)" } }
  }

  public let values: [Float]

  /// Computes the features of the layers' outputs, each `channels` planes of equal size.
  ///
  /// - Returns: nil if the number of layers or of values does not fit, or if values are not finite.
  public init?(layers: [[Float]]) {
    guard layers.count == Self.channels.count else { return nil }
    var values: [Float] = []
    values.reserveCapacity(Self.names.count)
    for (layer, count) in zip(layers, Self.channels) {
      let size = layer.count / count
      guard size > 0, layer.count == size * count else { return nil }
      var (means, spreads): ([Float], [Float]) = ([], [])
      for channel in 0..<count {
        let plane = layer[channel * size..<(channel + 1) * size]
        let mean = plane.reduce(0, +) / Float(size)
        means.append(mean)
        spreads.append((plane.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(size)).squareRoot())
      }
      values += means + spreads
    }
    self.init(values: values)
  }

  /// Returns nil if the number of values does not fit, or if they are not finite.
  init?(values: [Float]) {
    guard values.count == Self.names.count, values.allSatisfy(\.isFinite) else { return nil }
    self.values = values
  }
}
