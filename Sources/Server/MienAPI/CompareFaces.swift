/// Body of `CompareFaces` of the AWS-compatible API.
public struct CompareFacesRequest: Codable, Sendable {
  public var sourceImage: Image?
  public var targetImage: Image?
  /// Minimum similarity of the faces in `FaceMatches`, 0…100; 80 if omitted.
  public var similarityThreshold: Double?
  /// `NONE`, `AUTO`, `LOW`, `MEDIUM` or `HIGH`.
  public var qualityFilter: String?

  public enum CodingKeys: String, CodingKey, CaseIterable {
    case sourceImage = "SourceImage"
    case targetImage = "TargetImage"
    case similarityThreshold = "SimilarityThreshold"
    case qualityFilter = "QualityFilter"
  }

  /// An image, by value or by its place in S3.
  public struct Image: Codable, Sendable {
    /// A JPEG, PNG, HEIC, AVIF or WebP file in base64 (RFC 4648, section 4).
    public var bytes: String?
    public var object: S3Object?

    public enum CodingKeys: String, CodingKey, CaseIterable {
      case bytes = "Bytes"
      case object = "S3Object"
    }

    /// Place of an image in S3; its members are not used.
    public struct S3Object: Codable, Hashable, Sendable {}

    /// - Throws: ``UnknownKeyError`` for a key that is not in the API; `DecodingError` for wrong types.
    public init(from decoder: any Decoder) throws {
      try decoder.refuseStrayKeys(CodingKeys.self)
      let box = try decoder.container(keyedBy: CodingKeys.self)
      bytes = try box.decodeIfPresent(String.self, forKey: .bytes)
      object = try box.decodeIfPresent(S3Object.self, forKey: .object)
    }
  }

  /// - Throws: ``UnknownKeyError`` for a key that is not in the API; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    sourceImage = try box.decodeIfPresent(Image.self, forKey: .sourceImage)
    targetImage = try box.decodeIfPresent(Image.self, forKey: .targetImage)
    similarityThreshold = try box.decodeIfPresent(Double.self, forKey: .similarityThreshold)
    qualityFilter = try box.decodeIfPresent(String.self, forKey: .qualityFilter)
  }
}

extension CompareFacesRequest: CustomStringConvertible, CustomReflectable {
  public var description: String { "CompareFacesRequest(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Response of `CompareFaces`.
public struct CompareFacesResponse: Codable, Sendable {
  public typealias BoundingBox = GetFaceLivenessSessionResultsResponse.BoundingBox

  public var sourceImageFace: SourceFace
  public var faceMatches: [Match]
  public var unmatchedFaces: [ComparedFace]

  public enum CodingKeys: String, CodingKey {
    case sourceImageFace = "SourceImageFace"
    case faceMatches = "FaceMatches"
    case unmatchedFaces = "UnmatchedFaces"
  }

  public struct SourceFace: Codable, Sendable {
    public var boundingBox: BoundingBox
    /// Confidence that this is a face, 0…100.
    public var confidence: Double

    public enum CodingKeys: String, CodingKey {
      case boundingBox = "BoundingBox"
      case confidence = "Confidence"
    }

    public init(boundingBox: BoundingBox, confidence: Double) {
      self.boundingBox = boundingBox
      self.confidence = confidence
    }
  }

  public struct Match: Codable, Sendable {
    /// 0…100.
    public var similarity: Double
    public var face: ComparedFace

    public enum CodingKeys: String, CodingKey {
      case similarity = "Similarity"
      case face = "Face"
    }

    public init(similarity: Double, face: ComparedFace) {
      self.similarity = similarity
      self.face = face
    }
  }

  public struct ComparedFace: Codable, Sendable {
    public var boundingBox: BoundingBox
    /// Confidence that this is a face, 0…100.
    public var confidence: Double
    public var landmarks: [Landmark]
    public var pose: Pose
    public var quality: Quality

    public enum CodingKeys: String, CodingKey {
      case boundingBox = "BoundingBox"
      case confidence = "Confidence"
      case landmarks = "Landmarks"
      case pose = "Pose"
      case quality = "Quality"
    }

    public init(
      boundingBox: BoundingBox, confidence: Double, landmarks: [Landmark], pose: Pose, quality: Quality
    ) {
      self.boundingBox = boundingBox
      self.confidence = confidence
      self.landmarks = landmarks
      self.pose = pose
      self.quality = quality
    }
  }

  /// A point of a face, as fractions of the image.
  public struct Landmark: Codable, Sendable {
    public var type: String
    public var x: Float
    public var y: Float

    public enum CodingKeys: String, CodingKey {
      case type = "Type"
      case x = "X"
      case y = "Y"
    }

    public init(type: String, x: Float, y: Float) {
      self.type = type
      self.x = x
      self.y = y
    }
  }

  /// Angles in degrees.
  public struct Pose: Codable, Sendable {
    public var roll: Float
    public var yaw: Float
    public var pitch: Float

    public enum CodingKeys: String, CodingKey {
      case roll = "Roll"
      case yaw = "Yaw"
      case pitch = "Pitch"
    }

    public init(roll: Float, yaw: Float, pitch: Float) {
      self.roll = roll
      self.yaw = yaw
      self.pitch = pitch
    }
  }

  /// 0…100 each.
  public struct Quality: Codable, Sendable {
    public var brightness: Float
    public var sharpness: Float

    public enum CodingKeys: String, CodingKey {
      case brightness = "Brightness"
      case sharpness = "Sharpness"
    }

    public init(brightness: Float, sharpness: Float) {
      self.brightness = brightness
      self.sharpness = sharpness
    }
  }

  public init(sourceImageFace: SourceFace, faceMatches: [Match], unmatchedFaces: [ComparedFace]) {
    self.sourceImageFace = sourceImageFace
    self.faceMatches = faceMatches
    self.unmatchedFaces = unmatchedFaces
  }
}

extension CompareFacesResponse: CustomStringConvertible, CustomReflectable {
  public var description: String { "CompareFacesResponse(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
