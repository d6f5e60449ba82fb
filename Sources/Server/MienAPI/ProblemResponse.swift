/// Problem details of RFC 9457, with our stable `code` beside the standard members.
public struct ProblemResponse: Codable, Hashable, Sendable {
  /// `urn:mien:problem:<code>`.
  public var type: String
  /// The same for every problem of this code.
  public var title: String
  public var status: Int
  /// What happened this time, and what to do.
  public var detail: String
  public var code: String
  /// The final step, for `check-over`.
  public var step: StepResponse?

  public init(code: String, status: Int, detail: String, step: StepResponse? = nil) {
    type = "urn:mien:problem:\(code)"
    title = code.split(separator: "-").joined(separator: " ")
    self.status = status
    self.detail = detail
    self.code = code
    self.step = step
  }
}
