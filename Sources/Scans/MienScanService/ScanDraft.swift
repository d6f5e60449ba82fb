public import MienPlatform

/// A scan that is being received as one multipart form.
public struct ScanDraft: Sendable {
  public struct Part: Sendable {
    public let name: String
    public var type: String
    public let file: PendingBlob

    public init(name: String, type: String, file: PendingBlob) {
      self.name = name
      self.type = type
      self.file = file
    }
  }

  public var files: [Part] = []
  public var subject: String?
  public var label: String?

  public init() {}
}
