internal import Hummingbird
internal import MienCore
internal import MienPlatform
internal import MienAccess
internal import MienCaptures
internal import MienAPI

/// Routes of devices that sign captures.
extension CaptureRoutes {
  func addDevices(to routes: inout APIRoutes) {
    let sending = RoutePolicy(
      .keyOrDemo, .captures, body: settings.maximumJSONBytes, rate: .captures(.send))
    routes.post("/v1/devices", sending) { call in
      let service = captures[call.realm]
      let body = try await call.json(RegisterDeviceRequest.self)
      // A device with this name could not be deleted: its path is used by another route.
      guard let id = DeviceID(body.device), id.text != "challenges" else {
        throw ServiceError(
          .badValue, "\"device\" must be 1 to 64 characters of A–Z a–z 0–9 - _, and not \"challenges\".")
      }
      guard body.key.kty == "EC", body.key.crv == "P-256", let key = DeviceKey(x: body.key.x, y: body.key.y) else {
        throw ServiceError(.badValue, "\"key\" must be a public key of kty \"EC\" on crv \"P-256\" with x and y.")
      }
      let device =
        if let options = body.appAttest {
          try await service.register(id, key: key, claim: AttestationSubmission(options))
        } else {
          try await service.register(id, key: key)
        }
      return JSONResponse.json(DeviceResponse(device), status: .created)
    }
    routes.post("/v1/devices/challenges", RoutePolicy(.keyOrDemo, .captures, rate: .captures(.send))) { call in
      let (challenge, expires) = try await captures[call.realm].makeChallenge()
      return JSONResponse.json(
        ChallengeResponse(challenge: challenge, expiresAt: JSONResponse.rfc3339(milliseconds: expires.milliseconds)),
        status: .created)
    }
    routes.delete("/v1/devices/:id", RoutePolicy(.key, .captures, audit: .init(.deletedDevice, "device"))) { call in
      guard let id = DeviceID(call.parameter()) else {
        throw ServiceError(.notFound, "There is no device of this name on this server.")
      }
      try await captures[call.realm].deleteDevice(id)
      return JSONResponse.noContent
    }
  }
}

extension AttestationSubmission {
  fileprivate init(_ options: AppAttestRequest) throws {
    guard let keyID = Base64URL.decode(options.keyID).flatMap({ ContentDigest(bytes: $0) }),
      let object = Base64URL.decode(options.attestation), let signature = Base64URL.decode(options.signature)
    else {
      throw ServiceError(
        .badValue,
        "\"app_attest\" needs \"key_id\" of 32 bytes, \"attestation\" and \"signature\" in base64url without padding.")
    }
    self.init(keyID: keyID, challenge: options.challenge, object: object, signature: signature)
  }
}

extension DeviceResponse {
  fileprivate init(_ device: CaptureDevice) {
    self.init(
      device: device.id.text, counter: device.counter,
      createdAt: JSONResponse.rfc3339(milliseconds: device.created.milliseconds),
      appAttest: device.attested.map {
        AppAttestResponse(
          keyID: Base64URL.encode($0.id.bytes), environment: $0.environment.rawValue, counter: $0.counter,
          attestedAt: JSONResponse.rfc3339(milliseconds: $0.attested.milliseconds))
      })
  }
}
