internal import COpenVINO

/// A model that is ready to run. Threads may share it through separate requests, but then wait for each other.
@safe public final class CompiledModel: Sendable {
  /// File name without the directory.
  public let name: String
  /// Shape of the single input.
  public let input: TensorShape
  /// Number of outputs.
  public let outputCount: Int
  /// Creating requests is thread-safe; the handle is not used for anything else.
  nonisolated(unsafe) let handle: OpaquePointer
  private let runtime: InferenceRuntime

  @unsafe init(
    taking handle: OpaquePointer, name: String, input: TensorShape, of runtime: InferenceRuntime
  ) {
    unsafe self.handle = handle
    self.name = name
    self.input = input
    self.runtime = runtime
    var count = 0
    outputCount = unsafe ov_compiled_model_outputs_size(handle, &count) == OK ? count : 0
  }

  deinit {
    unsafe ov_compiled_model_free(handle)
  }
}

/// The shape of a model's single input, batch 1.
public enum TensorShape: Hashable, Sendable {
  /// A color image, passed as three planes of `size` × `size` values each (the model files expect interleaved pixels).
  case image(size: Int)
  /// A color image of three planes of `size` × `size` values each, in the model file too.
  case planes(size: Int)
  /// Points with two coordinates each.
  case points(count: Int)

  /// Total number of values.
  public var count: Int {
    switch self {
    case .image(let size), .planes(let size): 3 * size * size
    case .points(let count): 2 * count
    }
  }

  /// `true` if the caller fills planes where the model file expects interleaved pixels.
  var isConverted: Bool {
    if case .image = self { true } else { false }
  }

  /// Sizes in the order of the model file.
  var sizesInModel: [Int64] {
    switch self {
    case .image(let size): [1, Int64(size), Int64(size), 3]
    case .planes(let size): [1, 3, Int64(size), Int64(size)]
    case .points(let count): [1, Int64(count), 2]
    }
  }

  /// Sizes in the order of the input that the caller fills.
  var sizes: [Int64] {
    switch self {
    case .image(let size), .planes(let size): [1, 3, Int64(size), Int64(size)]
    case .points: sizesInModel
    }
  }
}
