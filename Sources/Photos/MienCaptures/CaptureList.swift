public import MienPlatform
public import MienCore

/// Filters for a list of captures, newest first.
public struct CaptureListQuery: Hashable, Sendable {
  public var state: CaptureRecord.State?
  /// Check whose token created the captures.
  public var check: CheckID?
  public var page = PageRequest()

  public init() {}
}

/// A capture as listed. It holds neither results of the analysis nor claims about the photo.
public struct CaptureSummary: Hashable, Sendable {
  public let id: CaptureID
  public let received: UnixTime
  public let state: CaptureRecord.State
  public let check: CheckID?
  /// Total size of the stored files in bytes.
  public let bytes: Int
  /// `image/jpeg` or `image/png`; `nil` if only the digest was sent.
  public let photoType: String?
  public let hasDepth: Bool
  public let hasMotion: Bool
  public let isSigned: Bool

  public init(
    id: CaptureID, received: UnixTime, state: CaptureRecord.State, check: CheckID?, bytes: Int, photoType: String?,
    hasDepth: Bool, hasMotion: Bool, isSigned: Bool
  ) {
    self.id = id
    self.received = received
    self.state = state
    self.check = check
    self.bytes = bytes
    self.photoType = photoType
    self.hasDepth = hasDepth
    self.hasMotion = hasMotion
    self.isSigned = isSigned
  }
}

extension CaptureService {
  /// Returns a page of the captures that match a query.
  public nonisolated func captures(_ query: CaptureListQuery) async throws -> RecordPage<CaptureSummary> {
    try await store.captures(query)
  }
}
