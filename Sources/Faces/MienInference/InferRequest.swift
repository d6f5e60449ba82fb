private import COpenVINO

/// A reusable inference request; owns its input memory and must be used by one thread at a time.
@safe public struct InferRequest: ~Copyable {
  private let model: CompiledModel
  private let request: OpaquePointer
  private let tensor: OpaquePointer
  private let memory: UnsafeMutableBufferPointer<Float>

  /// - Throws: ``InferenceError`` with code `inferenceFailed`, or `modelUnusable` if the sizes of the model's outputs
  ///   differ from `outputs`.
  public init(_ model: CompiledModel, outputs: [Int]) throws(InferenceError) {
    let count = model.input.count
    // Aligned to a cache line, as the runtime's kernels prefer.
    let raw = UnsafeMutableRawBufferPointer.allocate(byteCount: count * 4, alignment: 64)
    let memory = unsafe raw.bindMemory(to: Float.self)
    unsafe memory.initialize(repeating: 0)
    var (request, tensor): (OpaquePointer?, OpaquePointer?)
    do throws(InferenceError) {
      try unsafe Self.connect(model, memory, &request, &tensor)
      let found = try (0..<model.outputCount).map { (index) throws(InferenceError) in
        try unsafe Self.withOutput(index, of: request, model) { $0.count }
      }
      guard found == outputs else {
        throw InferenceError(
          .modelUnusable, name: model.name,
          reason: "its outputs hold \(found) numbers where \(outputs) were expected")
      }
    } catch {
      unsafe ov_tensor_free(tensor)
      unsafe ov_infer_request_free(request)
      unsafe raw.deallocate()
      throw error
    }
    self.model = model
    unsafe self.memory = memory
    unsafe self.request = request!
    unsafe self.tensor = tensor!
  }

  deinit {
    unsafe ov_tensor_free(tensor)
    unsafe ov_infer_request_free(request)
    unsafe memory.deallocate()
  }

  /// Calls `body` to fill the input, `CompiledModel.input.count` numbers.
  public mutating func writeInput<Result>(_ body: (inout MutableSpan<Float>) -> Result) -> Result {
    var span = unsafe memory.mutableSpan
    return body(&span)
  }

  /// Runs the model synchronously on this thread.
  public mutating func run() throws(InferenceError) {
    let status = unsafe ov_infer_request_infer(request)
    guard status == OK else {
      throw InferenceError(.inferenceFailed, name: model.name, reason: OpenVINO.lastError(status))
    }
  }

  /// Calls `body` with an output of the last run.
  public func withOutput<Result>(_ index: Int, _ body: (Span<Float>) -> Result) throws(InferenceError) -> Result {
    try unsafe Self.withOutput(index, of: request, model, body)
  }

  private static func withOutput<Result>(
    _ index: Int, of request: OpaquePointer?, _ model: CompiledModel, _ body: (Span<Float>) -> Result
  ) throws(InferenceError) -> Result {
    var (output, data): (OpaquePointer?, UnsafeMutableRawPointer?)
    var count = 0
    defer { unsafe ov_tensor_free(output) }  // frees the handle; the numbers belong to the request
    guard unsafe ov_infer_request_get_output_tensor_by_index(request, index, &output) == OK,
      unsafe ov_tensor_data(output, &data) == OK, unsafe ov_tensor_get_size(output, &count) == OK,
      let data = unsafe data
    else { throw InferenceError(.inferenceFailed, name: model.name, reason: "output \(index) cannot be read") }
    let numbers = unsafe UnsafeBufferPointer(start: data.assumingMemoryBound(to: Float.self), count: count)
    return unsafe body(numbers.span)
  }

  /// Creates the request with `memory` as its input.
  private static func connect(
    _ model: CompiledModel, _ memory: UnsafeMutableBufferPointer<Float>, _ request: inout OpaquePointer?,
    _ tensor: inout OpaquePointer?
  ) throws(InferenceError) {
    func check(_ status: ov_status_e) throws(InferenceError) {
      guard status == OK else {
        throw InferenceError(.inferenceFailed, name: model.name, reason: OpenVINO.lastError(status))
      }
    }
    try check(unsafe ov_compiled_model_create_infer_request(model.handle, &request))
    var shape = unsafe ov_shape_t()
    var sizes = model.input.sizes
    try check(unsafe ov_shape_create(Int64(sizes.count), &sizes, &shape))
    defer { unsafe ov_shape_free(&shape) }
    try check(unsafe ov_tensor_create_from_host_ptr(F32, shape, memory.baseAddress, &tensor))
    try check(unsafe ov_infer_request_set_input_tensor(request, tensor))
  }
}
