private import COpenVINO
import Foundation

/// The inference runtime (OpenVINO): one per process, shared by all models and threads.
@safe public final class InferenceRuntime: Sendable {
  /// The runtime is internally synchronized, so one handle may be used by many threads.
  nonisolated(unsafe) private let core: OpaquePointer

  /// Name of the runtime in errors and unavailable reasons.
  public static let name = "openvino"

  /// Starts the runtime.
  ///
  /// On x86-64 it sets `ONEDNN_MAX_CPU_ISA=AVX2` in the process's environment unless that variable is already set: with
  /// the 512-bit kernels the face mesh took 5.4 ms instead of 4.0 ms where it was measured (AMD EPYC, one thread,
  /// 32-bit floats, the same results). Set `ONEDNN_MAX_CPU_ISA=ALL` on machines where the wider kernels are faster.
  ///
  /// - Throws: ``InferenceError`` with code `runtimeUnavailable`.
  public init() throws(InferenceError) {
    #if arch(x86_64)
      unsafe setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 0)
    #endif
    var core: OpaquePointer?
    let status = unsafe ov_core_create(&core)
    guard status == OK, let core = unsafe core else {
      throw InferenceError(.runtimeUnavailable, name: Self.name, reason: OpenVINO.lastError(status))
    }
    unsafe self.core = core
  }

  deinit {
    unsafe ov_core_free(core)
  }

  /// Loads a `.tflite` file and compiles it to run on the caller's thread, one run at a time.
  ///
  /// - Parameter input: the shape of the model's single input.
  /// - Throws: ``InferenceError``.
  public func compile(path: String, input: TensorShape) throws(InferenceError) -> CompiledModel {
    let name = String(path.split(separator: "/").last ?? "")
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw InferenceError(.modelMissing, name: name, reason: "there is no such file, or it cannot be read")
    }
    func check(_ status: ov_status_e, _ code: InferenceError.Code) throws(InferenceError) {
      guard status == OK else { throw InferenceError(code, name: name, reason: OpenVINO.lastError(status)) }
    }
    var model: OpaquePointer?
    try check(unsafe ov_core_read_model(core, path, nil, &model), .modelUnusable)
    defer { unsafe ov_model_free(model) }
    var shape = unsafe ov_partial_shape_t()
    var sizes = input.sizesInModel
    try check(unsafe ov_partial_shape_create_static(Int64(sizes.count), &sizes, &shape), .modelUnusable)
    defer { unsafe ov_partial_shape_free(&shape) }
    try check(unsafe ov_model_reshape_single_input(model, shape), .modelUnusable)
    if input.isPlanar {
      let (status, planar) = unsafe OpenVINO.planarVariant(of: model)
      try check(status, .modelUnusable)
      unsafe ov_model_free(model)
      unsafe model = planar
    }

    var compiled: OpaquePointer?
    // Without ENABLE_CPU_PINNING=NO all models are pinned to the same processor. Results must not depend on whether a
    // processor has 16-bit floats, so full precision is requested.
    let properties = [
      "PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": "1", "INFERENCE_NUM_THREADS": "1",
      "INFERENCE_PRECISION_HINT": "f32", "ENABLE_CPU_PINNING": "NO",
    ]
    let status = unsafe OpenVINO.withProperties(properties) { list in
      // The variadic variant cannot be called from Swift.
      unsafe ov_core_compile_model_props(core, model, "CPU", list.count, list.baseAddress, &compiled)
    }
    try check(status, .runtimeUnavailable)
    guard let compiled = unsafe compiled else {
      throw InferenceError(.runtimeUnavailable, name: name, reason: "no compiled model")
    }
    return unsafe CompiledModel(taking: compiled, name: name, input: input, of: self)
  }
}
