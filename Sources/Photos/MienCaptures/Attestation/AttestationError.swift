/// The reason why an attestation or an assertion is invalid. Errors with the same step are equal.
public struct AttestationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The verification step that failed; the steps before it succeeded.
  public struct Step: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Stable text of the step.
    public let text: String

    /// The challenge was not issued by this server, was used already, or is too old.
    public static let challenge = Step(text: "challenge")
    /// The client data is not signed by the device's own key.
    public static let possession = Step(text: "possession")
    /// The bytes are not an object of this kind.
    public static let object = Step(text: "object")
    /// A certificate cannot be parsed.
    public static let certificate = Step(text: "certificate")
    /// A key or signature is of a kind that Apple does not use.
    public static let algorithm = Step(text: "algorithm")
    /// A certificate is not valid yet, or has expired.
    public static let validity = Step(text: "validity")
    /// The certificate chain does not lead to a root that this server trusts.
    public static let chain = Step(text: "chain")
    /// The object was made for other client data: another challenge, device or key.
    public static let nonce = Step(text: "nonce")
    /// The named key is not the attested one.
    public static let key = Step(text: "key")
    /// The object belongs to another app.
    public static let app = Step(text: "app")
    /// The counter of an attestation is not 0.
    public static let counter = Step(text: "counter")
    /// The object is from an environment that this server does not accept.
    public static let environment = Step(text: "environment")
    /// The credential is not the named key.
    public static let credential = Step(text: "credential")
    /// The signature of an assertion is invalid.
    public static let signature = Step(text: "signature")

    /// All steps, in the order in which they are verified.
    public static let allCases: [Step] = [
      .challenge, .possession, .object, .certificate, .algorithm, .validity, .chain, .nonce, .key, .app, .counter,
      .environment, .credential, .signature,
    ]
    public var description: String { text }
  }

  public let step: Step
  /// Description of the error and of the remedy, for the integrator's developer.
  public let reason: String

  public init(_ step: Step, _ reason: String) {
    self.step = step
    self.reason = reason
  }

  public static func == (left: AttestationError, right: AttestationError) -> Bool { left.step == right.step }
  public func hash(into hasher: inout Hasher) { hasher.combine(step) }
  public var description: String { "\(step): \(reason)" }
}
