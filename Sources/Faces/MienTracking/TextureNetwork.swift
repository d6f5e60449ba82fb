public import MienAuthenticity
public import MienCore
internal import MienInference
internal import MienWorkers
internal import Synchronization

/// The network of the texture check: the first stages of a ResNet-50 of half width (Yahoo, BSD-2-Clause), cut out by
/// `scripts/cut-photo-network`. It runs on threads of its own, which all analyses share.
public final class TextureNetwork: TextureFeatureReading {
  static let fileName = "photo_features.onnx"

  private let threads: [TextureNetworkThread]
  private let nextThread = Atomic<Int>(0)
  private let onFailure: @Sendable (UnavailableReason) -> Void

  /// The reason why the network cannot be used; `nil` if it can.
  public let missingModel: UnavailableReason?

  /// Loads the network from the folder that `scripts/install-parts` fills. Without it, images get no features.
  ///
  /// - Parameters:
  ///   - folder: path of the folder with `photo_features.onnx`.
  ///   - engines: number of threads; an image takes one of them about 20 ms.
  ///   - onFailure: called when the network fails for an image, whose check then uses its measurements alone.
  public init(
    models folder: String, engines: Int = 1, onFailure: @escaping @Sendable (UnavailableReason) -> Void = { _ in }
  ) {
    self.onFailure = onFailure
    var threads: [TextureNetworkThread] = []
    var missing: UnavailableReason?
    do throws(InferenceError) {
      let runtime = try InferenceRuntime()
      while threads.count < max(engines, 1) {
        let model = try runtime.compile(
          path: "\(folder)/\(Self.fileName)", input: .planes(size: TextureSquare.size))
        threads.append(try TextureNetworkThread(model))
      }
    } catch {
      (threads, missing) = ([], error.obstacle)
    }
    (self.threads, missingModel) = (threads, missing)
  }

  public var isAvailable: Bool { missingModel == nil }

  public func addingFeatures(to capture: CaptureInput) async -> CaptureInput {
    var capture = capture
    guard !threads.isEmpty, let square = TextureSquare(capture.image) else { return capture }
    let number = nextThread.add(1, ordering: .relaxed).oldValue
    do throws(InferenceError) {
      capture.features = try await threads[number % threads.count].features(of: square)
    } catch {
      onFailure(error.obstacle)
    }
    return capture
  }
}

/// A request on a dedicated thread, so that its work never blocks the shared thread pool.
private actor TextureNetworkThread {
  /// Means of the channels blue, green and red that the network was trained with.
  private static let means: [Float] = [104, 117, 123]
  /// Width and height of the outputs.
  private static let sides = [56, 28, 14]

  private var request: InferRequest
  private nonisolated let executor = SerialQueueExecutor(label: "mien.texture-network")

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(_ model: CompiledModel) throws(InferenceError) {
    request = try InferRequest(model, outputs: zip(TextureFeatures.channels, Self.sides).map { $0 * $1 * $1 })
  }

  func features(of square: TextureSquare) throws(InferenceError) -> TextureFeatures? {
    request.writeInput { input in
      for (channel, mean) in Self.means.enumerated() {
        for (index, sample) in square.samples.enumerated() {
          input[channel * square.samples.count + index] = sample - mean
        }
      }
    }
    try request.run()
    let layers = try TextureFeatures.channels.indices.map { (index) throws(InferenceError) in
      try request.withOutput(index) { output in output.indices.map { output[$0] } }
    }
    return TextureFeatures(layers: layers)
  }
}
