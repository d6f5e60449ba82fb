internal import Hummingbird
internal import MienCore
internal import MienRecordings
internal import MienPlatform

/// Parses observations claimed by a device and maps parser errors to API errors.
enum ObservationParsing {
  /// Parses the body of a request: one observation as a JSON document, or observation lines.
  static func observations(_ bytes: [UInt8], of request: Request) throws -> [ClientObservation] {
    try RequestParsing.mediaType(request) == "application/json" ? observation(bytes) : observations(bytes)
  }

  /// Parses one observation as a JSON document, on one line or several.
  private static func observation(_ bytes: [UInt8]) throws -> [ClientObservation] {
    let text = ContiguousArray(bytes)
    do {
      return [try ObservationJSONL.parseLine(text.span)]
    } catch {
      throw mapped(error)
    }
  }

  /// Parses observation lines without a header; there must be at least one.
  static func observations(_ bytes: [UInt8]) throws -> [ClientObservation] {
    var reader = ObservationLinesReader(
      ContiguousArray(bytes), rules: ParserLimits(maximumObservations: 10_000, requiresHeader: false))
    var observations: [ClientObservation] = []
    do {
      while let observation = try reader.next() { observations.append(observation) }
    } catch {
      throw mapped(error)
    }
    guard !observations.isEmpty else { throw ServiceError(.badJSON, "The body holds no observation.") }
    return observations
  }

  /// Parses one or several depth frames.
  static func depthFrames(_ bytes: [UInt8]) throws -> [DepthFrame] {
    do {
      return try DepthFrameCodec.read(ContiguousArray(bytes))
    } catch {
      throw ServiceError(.badValue, "\(error)")
    }
  }

  private static func mapped(_ error: RecordingError) -> ServiceError {
    let code: ServiceError.Code =
      switch error.code {
      case .unknownKey: .unknownKey
      case .numberOutOfRange, .inconsistent, .missingKey, .duplicateKey, .wrongType: .badValue
      case .timestampBackwards: .outOfOrder
      case .tooLarge: .bodyTooLarge
      default: .badJSON
      }
    return ServiceError(code, "\(error)")
  }
}
