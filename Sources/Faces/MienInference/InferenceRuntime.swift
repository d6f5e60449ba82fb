private import COpenVINO
internal import Foundation
public import MienCore

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

  /// Loads a `.tflite` or `.onnx` file and compiles it to run on the caller's thread, one run at a time.
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
    if input.isConverted {
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

/// The reason why a model could not be loaded or run. Compared by code and by the name of the file or library.
public struct InferenceError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Kind: String { case runtimeUnavailable, modelMissing, modelUnusable, inferenceFailed }
    fileprivate let kind: Kind
    /// The inference runtime or one of its plugins is missing or does not start.
    public static let runtimeUnavailable = Code(kind: .runtimeUnavailable)
    /// The model file is missing or unreadable.
    public static let modelMissing = Code(kind: .modelMissing)
    /// The file exists, but is not a model, or not the expected one.
    public static let modelUnusable = Code(kind: .modelUnusable)
    /// A loaded model failed to run.
    public static let inferenceFailed = Code(kind: .inferenceFailed)
    public var description: String { kind.rawValue }
  }

  public let code: Code
  /// Name of the model file or library, without the directory.
  public let name: String
  /// The runtime's error message.
  public let reason: String

  public init(_ code: Code, name: String, reason: String) {
    self.code = code
    self.name = name
    self.reason = reason
  }

  /// The corresponding reason for a failed assessment.
  public var obstacle: UnavailableReason { .modelUnavailable(name) }

  public static func == (left: InferenceError, right: InferenceError) -> Bool {
    left.code == right.code && left.name == right.name
  }
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(name)
  }
  public var description: String { "\(code): \(name): \(reason)" }
}
