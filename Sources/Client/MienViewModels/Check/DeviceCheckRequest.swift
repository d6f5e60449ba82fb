public import MienAPI
public import MienClient
internal import MienCore

extension CreateCheckRequest {
  /// Request for a check on the user's own device.
  ///
  /// With depth and an enrolled person, the server first measures depth for up to five seconds, and asks for a head turn
  /// if that does not decide. Otherwise the tasks are those of the server's default assurance. A device with the sensor
  /// also reports the head's pose beside its frames, which the server compares with what it sees in them.
  ///
  /// - Parameters:
  ///   - person: pseudonym of the enrolled person; `nil` without an enrollment.
  ///   - measuresDepth: `true` on a device with a depth sensor and a face tracker.
  ///   - depthDecides: `false` for a server on which depth does not pass a check.
  public static func onDevice(
    person: String?, measuresDepth: Bool, depthDecides: Bool = true
  ) -> CreateCheckRequest {
    guard measuresDepth else { return CreateCheckRequest(person: person) }
    guard let person else { return CreateCheckRequest(sources: ["observed", "compared"]) }
    guard depthDecides else {
      return CreateCheckRequest(person: person, depth: true, sources: ["observed", "compared"])
    }
    return CreateCheckRequest(
      assurance: .basic, person: person, depth: true, sources: ["observed", "depth", "compared"])
  }
}

extension AccountClient {
  /// Creates a check on the user's own device. On a server that does not accept depth as evidence, depth is measured
  /// too, and the tasks decide.
  ///
  /// - Parameters:
  ///   - person: pseudonym of the enrolled person; `nil` without an enrollment.
  ///   - measuresDepth: `true` on a device with a depth sensor and a face tracker.
  /// - Throws: ``ClientError``, or `CancellationError`.
  public func createOnDevice(person: String?, measuresDepth: Bool) async throws -> CreateCheckResponse {
    do {
      return try await create(.onDevice(person: person, measuresDepth: measuresDepth))
    } catch let error as ClientError where error.code == .sourceNotAllowed {
      return try await create(.onDevice(person: person, measuresDepth: measuresDepth, depthDecides: false))
    }
  }
}
