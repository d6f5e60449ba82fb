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
