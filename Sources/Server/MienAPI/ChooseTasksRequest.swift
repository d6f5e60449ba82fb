/// Body of `POST /v1/checks/{id}/tasks`.
public struct ChooseTasksRequest: Codable, Hashable, Sendable {
  public var tasks: [TaskRequest]

  public enum CodingKeys: String, CodingKey, CaseIterable { case tasks }

  public init(tasks: [TaskRequest]) {
    self.tasks = tasks
  }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    tasks = try decoder.container(keyedBy: CodingKeys.self).decode([TaskRequest].self, forKey: .tasks)
  }
}
