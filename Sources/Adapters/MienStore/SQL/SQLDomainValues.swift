internal import MienAuthenticity
internal import MienAvatars
internal import MienCore
internal import MienPlatform
internal import MienSecurity
internal import MienAccess
internal import MienWebhooks
internal import MienChecks
internal import MienCaptures
internal import MienScanService
internal import MienMessageService
internal import MienVault

/// Enumerations and numbers with names are stored as their raw values.
extension SQLBindable where Self: RawRepresentable, RawValue: SQLBindable {
  var sqlValue: SQLValue { rawValue.sqlValue }
}

extension SQLReadable where Self: RawRepresentable, RawValue: SQLReadable {
  init?(sqlValue: SQLValue) {
    guard let value = RawValue(sqlValue: sqlValue) else { return nil }
    self.init(rawValue: value)
  }
}

/// Identifier that is stored as its text.
protocol SQLTextIdentifier: SQLBindable, SQLReadable {
  var text: String { get }
  init?(_ text: String)
}

extension SQLTextIdentifier {
  var sqlValue: SQLValue { .text(text) }

  init?(sqlValue: SQLValue) {
    guard let text = String(sqlValue: sqlValue) else { return nil }
    self.init(text)
  }
}

/// Value that is stored as its bytes.
protocol SQLByteString: SQLBindable, SQLReadable {
  var bytes: [UInt8] { get }
  init?(bytes: [UInt8])
}

extension SQLByteString {
  var sqlValue: SQLValue { .bytes(bytes) }

  init?(sqlValue: SQLValue) {
    guard case .bytes(let bytes) = sqlValue else { return nil }
    self.init(bytes: bytes)
  }
}

extension CheckID: SQLTextIdentifier {}
extension PersonID: SQLTextIdentifier {}
extension DeviceID: SQLTextIdentifier {}
extension CaptureID: SQLTextIdentifier {}
extension ScanID: SQLTextIdentifier {}
extension ScanSubjectID: SQLTextIdentifier {}
extension UploadID: SQLTextIdentifier {}
extension BlobID: SQLTextIdentifier {}
extension WebhookID: SQLTextIdentifier {}
extension WebhookDeliveryID: SQLTextIdentifier {}
extension AccountName: SQLTextIdentifier {}

extension SecretDigest: SQLByteString {}
extension ContentDigest: SQLByteString {}
extension DeviceKey: SQLByteString {}

extension MessageID: SQLBindable {
  var sqlValue: SQLValue { .text(text) }
}

extension PasswordHash: SQLBindable, SQLReadable {
  var sqlValue: SQLValue { .text(text) }

  init?(sqlValue: SQLValue) {
    guard let text = String(sqlValue: sqlValue) else { return nil }
    self.init(text: text)
  }
}

extension ScryptParameters: SQLBindable, SQLReadable {
  var sqlValue: SQLValue { .text(text) }

  init?(sqlValue: SQLValue) {
    guard let text = String(sqlValue: sqlValue) else { return nil }
    self.init(text: text)
  }
}

extension UnixTime: SQLBindable, SQLReadable {
  var sqlValue: SQLValue { .integer(milliseconds) }

  init?(sqlValue: SQLValue) {
    guard case .integer(let number) = sqlValue else { return nil }
    self.init(milliseconds: number)
  }
}

extension CheckSources: SQLBindable, SQLReadable {
  init?(sqlValue: SQLValue) {
    guard let number = Int(sqlValue: sqlValue) else { return nil }
    self.init(stored: number)
  }
}

extension AccountRole: SQLBindable, SQLReadable {}
extension AssuranceLevel: SQLBindable, SQLReadable {}
extension AttestedKey.Environment: SQLBindable, SQLReadable {}
extension AuditAction: SQLBindable, SQLReadable {}
extension CaptureRecord.State: SQLBindable, SQLReadable {}
extension CaptureVisualization.Kind: SQLBindable, SQLReadable {}
extension CheckListQuery.State: SQLBindable, SQLReadable {}
extension CheckResult.Outcome: SQLBindable, SQLReadable {}
extension CheckResult.Source: SQLBindable, SQLReadable {}
extension CompatibilitySession.CompatibleAPI: SQLBindable, SQLReadable {}
extension EncryptedSecret.Kind: SQLBindable, SQLReadable {}
extension MessageRecord.Mode: SQLBindable, SQLReadable {}
extension ScanRecord.Kind: SQLBindable, SQLReadable {}
extension ScanRecord.Progress.Phase: SQLBindable, SQLReadable {}
extension ScanRecord.Status: SQLBindable, SQLReadable {}
extension Side: SQLBindable, SQLReadable {}
extension StoredImage.Kind: SQLBindable, SQLReadable {}
extension VerdictBasis: SQLBindable, SQLReadable {}
extension TemplateUse: SQLBindable, SQLReadable {}
extension UnlockPolicyState.End: SQLBindable, SQLReadable {}
extension WebhookDelivery.State: SQLBindable, SQLReadable {}
extension WebhookEvent: SQLBindable, SQLReadable {}
