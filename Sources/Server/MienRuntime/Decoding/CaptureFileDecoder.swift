package import MienAuthenticity
internal import MienCodecs
internal import MienVideo
package import MienImaging
internal import MienCore
internal import MienFiles
internal import MienRecordings
internal import MienCaptures
internal import MienPlatform

/// Decodes capture files with this project's codecs.
package struct CaptureFileDecoder: CaptureDecoding {
  /// Finds faces; `nil` to look for none.
  private let faces: FaceLocator?
  /// The network of the texture check; `nil` if it is not installed.
  private let network: (any TextureFeatureReading)?
  /// Reads content credentials; `nil` without the C2PA library.
  private let credentials: (@Sendable ([UInt8]) async -> ProvenanceOutcome)?

  package init(
    faces: FaceLocator? = nil, network: (any TextureFeatureReading)? = nil,
    credentials: (@Sendable ([UInt8]) async -> ProvenanceOutcome)? = nil
  ) {
    self.faces = faces
    self.network = network
    self.credentials = credentials
  }

  package func contentCredential(of file: [UInt8]) async -> ProvenanceOutcome {
    await credentials?(file) ?? .notAvailable
  }

  package func locatingFaces(in capture: CaptureInput) async -> CaptureInput {
    await faces?.locatingFaces(in: capture) ?? capture
  }

  package var hasNetwork: Bool { network?.isAvailable ?? false }

  package func addingFeatures(to capture: CaptureInput) async -> CaptureInput {
    await network?.addingFeatures(to: capture) ?? capture
  }

  package var headBytes: Int { ImageProvenanceReader.headBytes }

  package func imageType(of head: [UInt8]) throws -> String {
    do {
      return try ImageFormat.expect(head).rawValue
    } catch {
      throw ServiceError(.notAImage, error.reason)
    }
  }

  package func provenance(of head: [UInt8]) -> ImageProvenance { ImageProvenanceReader.read(head) }

  package func image(_ bytes: [UInt8]) async throws -> CaptureInput {
    try await ParallelImageDecoder.read(bytes, limits: ImageLimits(pixels: 64_000_000))
  }

  /// Decodes a depth frame (`MDF1`) or a 16-bit gray PNG in millimeters.
  package func depth(_ bytes: [UInt8]) throws -> CaptureDepthMap {
    if ImageFormat.sniff(bytes) == .png {
      let map = try PNGDecoder().decodeGray16(bytes)
      guard
        let depth = CaptureDepthMap(
          width: map.width, height: map.height, samples: map.samples, micrometersPerStep: 1000)
      else { throw OperationError("the depth map is too large") }
      return depth
    }
    guard let frame = try DepthFrameCodec.read(ContiguousArray(bytes)).first,
      let depth = CaptureDepthMap(
        width: frame.width, height: frame.height, samples: frame.samples, micrometersPerStep: frame.micrometersPerStep)
    else { throw OperationError("there is no depth frame") }
    return depth
  }

  /// Returns the luma planes of a burst's images; each is decoded and downscaled before the next is read.
  package func burst(_ files: [[UInt8]]) throws -> [Plane] {
    var image = YCbCrImage()
    var decoder = try YCbCrDecoder(limits: ImageLimits(pixels: 16_000_000))
    return try files.map { file in
      try decoder.decode(file, into: &image)
      return BurstFrame.small(image.luma)
    }
  }

  /// Returns the frames of a video.
  package func clip(_ bytes: [UInt8]) async throws -> [BurstFrame] {
    try await ClipReader().frames(of: bytes).map { BurstFrame(luma: $0.luma, at: $0.at) }
  }

  package func png(_ frame: Frame) throws -> [UInt8] { try PNGEncoder().encode(frame) }
}
