/// A scan that comes as one form, while its parts come in.
public struct ScanDraft: Sendable {
  public struct Part: Sendable {
    public let name: String
    public var type: String
    public let file: CaptureDraft.PendingBlob

    public init(name: String, type: String, file: CaptureDraft.PendingBlob) {
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
