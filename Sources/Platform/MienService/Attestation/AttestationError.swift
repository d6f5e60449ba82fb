/// Why an attestation or an assertion does not hold. Equal by step.
public struct AttestationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The step of the check that failed; the ones before it held.
  public struct Step: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The stable text of the step.
    public let text: String

    /// The challenge is not this server's, was used, or is too old.
    public static let challenge = Step(text: "challenge")
    /// The device's own key did not sign the client data.
    public static let possession = Step(text: "possession")
    /// The bytes are no object of this kind.
    public static let object = Step(text: "object")
    /// A certificate cannot be read.
    public static let certificate = Step(text: "certificate")
    /// A key or signature is of a kind that Apple does not use.
    public static let algorithm = Step(text: "algorithm")
    /// A certificate is not valid yet, or no more.
    public static let validity = Step(text: "validity")
    /// The certificates do not lead to a root that this server trusts.
    public static let chain = Step(text: "chain")
    /// It was made for other client data: another challenge, device or key.
    public static let nonce = Step(text: "nonce")
    /// The named key is not the attested one.
    public static let key = Step(text: "key")
    /// It is of another app.
    public static let app = Step(text: "app")
    /// The counter is not 0 in an attestation.
    public static let counter = Step(text: "counter")
    /// It is of an environment that this server does not take.
    public static let environment = Step(text: "environment")
    /// The credential is not the named key.
    public static let credential = Step(text: "credential")
    /// The signature of an assertion does not hold.
    public static let signature = Step(text: "signature")

    /// In the order in which they are checked.
    public static let allCases: [Step] = [
      .challenge, .possession, .object, .certificate, .algorithm, .validity, .chain, .nonce, .key, .app, .counter,
      .environment, .credential, .signature,
    ]
    public var description: String { text }
  }

  public let step: Step
  /// What is wrong and what to do; shown to the integrator's developer.
  public let reason: String

  public init(_ step: Step, _ reason: String) {
    self.step = step
    self.reason = reason
  }

  public static func == (left: AttestationError, right: AttestationError) -> Bool { left.step == right.step }
  public func hash(into hasher: inout Hasher) { hasher.combine(step) }
  public var description: String { "\(step): \(reason)" }
}
