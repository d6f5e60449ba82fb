/// Problem details of RFC 9457, with a stable `code` in addition to the standard members.
public struct ProblemResponse: Codable, Hashable, Sendable {
  /// `urn:mien:problem:<code>`.
  public var type: String
  /// Title, identical for all problems with this code.
  public var title: String
  public var status: Int
  /// Explanation of this occurrence, and how to resolve it.
  public var detail: String
  public var code: String
  /// Final step, for `check-ended`.
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
