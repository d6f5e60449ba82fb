internal import Foundation
internal import Hummingbird
internal import MienAPI
internal import MienChecks
internal import MienCore
internal import MienFaceMatch
internal import MienPlatform

/// `CompareFaces` of the AWS-compatible API: the largest face of one image with each face of another.
enum AWSCompareFaces {
  /// Maximum size of an image in the request, as documented by Amazon.
  static var maximumImageBytes: Int { 5 << 20 }
  /// Maximum number of faces compared in the target image.
  private static var mostFaces: Int { 15 }
  private static let filters = ["NONE", "AUTO", "LOW", "MEDIUM", "HIGH"]

  static func response(_ body: [UInt8], in service: LivenessCheckService) async throws -> Response {
    let request = try AWSResponses.decode(CompareFacesRequest.self, body)
    let threshold = request.similarityThreshold ?? 80
    guard (0...100).contains(threshold) else {
      throw AWSError(.invalidParameter, "SimilarityThreshold must be 0 to 100.")
    }
    guard filters.contains(request.qualityFilter ?? "NONE") else {
      throw AWSError(.invalidParameter, "QualityFilter must be one of \(filters.joined(separator: ", ")).")
    }
    let source = try image(request.sourceImage, "SourceImage")
    let target = try image(request.targetImage, "TargetImage")
    let comparer: FaceComparer
    do {
      comparer = try service.expectFaceComparer()
    } catch let error as ServiceError {
      throw AWSError(.accessDenied, error.reason)
    }
    guard let own = try await faces(in: source, "SourceImage", most: 1, comparer).first else {
      throw AWSError(.invalidParameter, "SourceImage: no face was found.")
    }
    guard let template = own.template, let sourceFace = own.observation.face else {
      let problem = own.problem ?? .noFace
      throw AWSError(
        .invalidParameter, "SourceImage: the face cannot be compared (\(problem.rawValue)). \(problem.advice)")
    }
    var matches: [CompareFacesResponse.Match] = []
    var others: [CompareFacesResponse.ComparedFace] = []
    for face in try await faces(in: target, "TargetImage", most: mostFaces, comparer) {
      guard let compared = CompareFacesResponse.ComparedFace(face.observation) else { continue }
      // A face that cannot be compared does not match.
      let similarity = face.template.map { comparer.threshold.percentage($0.similarity(to: template)) }
      if let similarity, Double(similarity) >= threshold {
        matches.append(.init(similarity: Double(similarity), face: compared))
      } else {
        others.append(compared)
      }
    }
    matches.sort { $0.similarity > $1.similarity }
    return AWSResponses.json(
      CompareFacesResponse(
        sourceImageFace: .init(
          boundingBox: .init(sourceFace.box), confidence: sourceFace.presence.value * 100), faceMatches: matches,
        unmatchedFaces: others))
  }

  private static func image(_ image: CompareFacesRequest.Image?, _ name: String) throws -> [UInt8] {
    guard let image else { throw AWSError(.invalidParameter, "\(name) is missing.") }
    guard image.object == nil else {
      throw AWSError(.invalidS3Object, "\(name): this server reads no S3 bucket. Send the image as Bytes.")
    }
    guard let text = image.bytes, let data = Data(base64Encoded: text), !data.isEmpty else {
      throw AWSError(
        .invalidParameter, "\(name): Bytes must be an image file in base64: JPEG, PNG, HEIC, AVIF or WebP.")
    }
    guard data.count <= maximumImageBytes else {
      throw AWSError(.imageTooLarge, "\(name) is larger than \(maximumImageBytes) bytes.")
    }
    return [UInt8](data)
  }

  private static func faces(
    in image: [UInt8], _ name: String, most: Int, _ comparer: FaceComparer
  ) async throws -> [FaceComparer.Face] {
    do {
      return try await comparer.faces(in: image, most: most, mayHaveOthers: true)
    } catch let error as ServiceError where error.code == .notAImage {
      throw AWSError(.invalidImageFormat, "\(name): \(error.reason)")
    } catch let error as ServiceError where error.code == .imageTooLarge {
      throw AWSError(.imageTooLarge, "\(name): \(error.reason)")
    }
  }
}

extension CompareFacesResponse.BoundingBox {
  init(_ box: FaceBox) { self.init(left: box.x, top: box.y, width: box.width, height: box.height) }
}

extension CompareFacesResponse.ComparedFace {
  /// The five landmarks of that API, and the points of the mesh.
  private static var places: [(type: String, index: Int)] {
    [("eyeLeft", 468), ("eyeRight", 473), ("mouthLeft", 61), ("mouthRight", 291), ("nose", 1)]
  }

  init?(_ observation: FaceObservation) {
    guard let face = observation.face else { return nil }
    let points = face.landmarks.points
    let sharpness = observation.sharpness ?? .zero
    self.init(
      boundingBox: .init(face.box), confidence: face.presence.value * 100,
      landmarks: Self.places.map { .init(type: $0.type, x: points[$0.index].x, y: points[$0.index].y) },
      pose: .init(roll: face.pose.roll, yaw: face.pose.yaw, pitch: face.pose.pitch),
      quality: .init(
        brightness: observation.brightness / 255 * 100, sharpness: 100 * sharpness / (sharpness + 10)))
  }
}
