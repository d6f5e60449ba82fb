public import MienAuthenticity
public import MienImaging

/// Decodes the files of captures.
public protocol CaptureDecoding: Sendable {
  /// Decodes an image of a supported format into the input of the checks.
  func image(_ bytes: [UInt8]) async throws -> CaptureInput
  /// Number of a photo's first bytes that ``imageType(of:)`` and ``provenance(of:)`` need.
  var headBytes: Int { get }
  /// Returns the media type of a photo by the first bytes of its file.
  ///
  /// - Throws: `ServiceError` with `notAImage` for other files, with what the file is as far as it is known.
  func imageType(of head: [UInt8]) throws -> String
  /// Reads the provenance of a photo from the first bytes of its file.
  func provenance(of head: [UInt8]) -> ImageProvenance
  /// Decodes the depth map of a depth frame or of a 16-bit PNG.
  func depth(_ bytes: [UInt8]) throws -> CaptureDepthMap
  /// Decodes the luma planes of a burst's images.
  func burst(_ files: [[UInt8]]) throws -> [Plane]
  /// Decodes the frames of a clip, with their times.
  func clip(_ bytes: [UInt8]) async throws -> [BurstFrame]
  /// Returns the capture with the faces in its images, beside which the checks measure the scene.
  func locatingFaces(in capture: CaptureInput) async -> CaptureInput
  /// `true` if the texture check's network is available.
  var hasNetwork: Bool { get }
  /// Returns the capture with what the texture check's network finds in its image.
  func addingFeatures(to capture: CaptureInput) async -> CaptureInput
  /// Returns the content credential of a file, or why there is none.
  func contentCredential(of file: [UInt8]) async -> ProvenanceOutcome
  /// Encodes a frame as PNG.
  func png(_ frame: Frame) throws -> [UInt8]
}

extension CaptureDecoding {
  /// Reads no content credentials.
  public func contentCredential(of file: [UInt8]) async -> ProvenanceOutcome { .notAvailable }

  /// Looks for no faces.
  public func locatingFaces(in capture: CaptureInput) async -> CaptureInput { capture }

  /// Runs no network.
  public var hasNetwork: Bool { false }

  /// Runs no network.
  public func addingFeatures(to capture: CaptureInput) async -> CaptureInput { capture }
}
