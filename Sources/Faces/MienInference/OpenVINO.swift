internal import COpenVINO
import Foundation

/// Helpers for the C API.
enum OpenVINO {
  /// Returns the runtime's message for the last error on this thread.
  static func lastError(_ status: ov_status_e) -> String {
    guard let message = unsafe ov_get_last_err_msg() else { return "status \(status.rawValue)" }
    defer { unsafe ov_free(message) }
    return unsafe "status \(status.rawValue): \(String(cString: message))"
  }

  /// Passes properties to the C API; they are valid only during the call.
  @unsafe static func withProperties<Result>(
    _ properties: [String: String], _ body: (UnsafeBufferPointer<ov_property_t>) -> Result
  ) -> Result {
    let texts = unsafe properties.map { unsafe (strdup($0.key)!, strdup($0.value)!) }
    defer {
      for unsafe(key, value) in unsafe texts {
        unsafe free(key)
        unsafe free(value)
      }
    }
    let list = unsafe texts.map { unsafe ov_property_t(key: $0.0, value: UnsafeRawPointer($0.1)) }
    return unsafe list.withUnsafeBufferPointer { unsafe body($0) }
  }

  /// Creates a variant of a model whose image input is planar; the caller frees both.
  @unsafe static func planarVariant(of model: OpaquePointer?) -> (ov_status_e, OpaquePointer?) {
    var (processor, input, tensor, planarLayout, inputModel, modelLayout, variant):
      (
        OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?
      )
    defer {
      unsafe ov_preprocess_prepostprocessor_free(processor)
      unsafe ov_preprocess_input_info_free(input)
      unsafe ov_preprocess_input_tensor_info_free(tensor)
      unsafe ov_layout_free(planarLayout)
      unsafe ov_preprocess_input_model_info_free(inputModel)
      unsafe ov_layout_free(modelLayout)
    }
    let steps: [() -> ov_status_e] = [
      { unsafe ov_preprocess_prepostprocessor_create(model, &processor) },
      { unsafe ov_preprocess_prepostprocessor_get_input_info(processor, &input) },
      { unsafe ov_preprocess_input_info_get_tensor_info(input, &tensor) },
      { unsafe ov_layout_create("NCHW", &planarLayout) },
      { unsafe ov_preprocess_input_tensor_info_set_layout(tensor, planarLayout) },
      { unsafe ov_preprocess_input_info_get_model_info(input, &inputModel) },
      { unsafe ov_layout_create("NHWC", &modelLayout) },
      { unsafe ov_preprocess_input_model_info_set_layout(inputModel, modelLayout) },
      { unsafe ov_preprocess_prepostprocessor_build(processor, &variant) },
    ]
    for step in steps {
      let status = step()
      guard status == OK else { return (status, nil) }
    }
    return unsafe (OK, variant)
  }
}
