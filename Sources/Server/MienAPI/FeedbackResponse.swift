public import MienCore

/// Condition that a person can change before trying again.
public struct FeedbackResponse: Codable, Hashable, Sendable {
  /// Code of ``MienCore/CaptureCondition``.
  public var code: String
  /// Text for the person, in English.
  public var message: String

  public init(_ condition: CaptureCondition) {
    code = condition.rawValue
    message = condition.message
  }
}

extension GetFaceLivenessSessionResultsResponse {
  /// Condition that a person can change before trying again, in the AWS-compatible API.
  public struct FeedbackItem: Codable, Hashable, Sendable {
    /// Code of ``MienCore/CaptureCondition`` in upper case, with underscores.
    public var code: String
    /// Text for the person, in English, 1 to 512 characters.
    public var message: String

    public enum CodingKeys: String, CodingKey {
      case code = "Code"
      case message = "Message"
    }

    public init(_ condition: CaptureCondition) {
      code = String(condition.rawValue.uppercased().map { $0 == "-" ? "_" : $0 })
      message = condition.message
    }
  }
}

extension CaptureCondition {
  /// Text for the person, in English.
  var message: String {
    switch self {
    case .faceNotVisible: "Your face was not visible. Keep your whole face in the picture."
    case .faceObstructionDetected:
      "Something covered your face. Take off dark glasses or a mask, and keep hands and hair away."
    case .lowVideoQualityDetected:
      "The video was blurred or had too few pictures. Clean the lens, and use a better connection."
    case .faceNotAligned: "Your face was not in the oval. Center it, and mind the distance."
    case .eyesClosedDetected: "Your eyes were closed. Keep them open unless you are asked to close them."
    case .lowLightingDetected: "Your face was too dark. Turn to a light, or go to a brighter place."
    case .highLightingDetected: "Your face was too bright. Move away from direct light."
    }
  }
}
