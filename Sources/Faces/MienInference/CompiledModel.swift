internal import COpenVINO

/// A model that is ready to run. Requests of several threads may share it, but then they wait for each other.
@safe public final class CompiledModel: Sendable {
  /// The file's name, without its folder.
  public let name: String
  /// The shape of the one input.
  public let input: TensorShape
  /// How many outputs there are.
  public let outputCount: Int
  /// Making requests is safe from any thread; nothing else is done with it.
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
