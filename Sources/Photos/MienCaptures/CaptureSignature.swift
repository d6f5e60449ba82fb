public import MienPlatform
internal import Crypto
public import MienCore

/// The digests that a device signed for a capture, and the signature: `Documentation/reference/formats/CaptureDigest.md`.
public struct CaptureSignature: Hashable, Sendable {
  public let device: DeviceID
  /// Counter that increases with each capture of the device; at least 1.
  public let counter: Int64
  /// Digests that the device signed; `nil` for a part that the capture did not have.
  public let signed: CaptureDigests
  /// ECDSA over P-256 with SHA-256: 64 bytes (IEEE P1363) or DER, the format of Apple's keys.
  public let bytes: [UInt8]

  /// Returns `nil` for counters below 1.
  public init?(device: DeviceID, counter: Int64, signed: CaptureDigests, bytes: [UInt8]) {
    guard counter >= 1 else { return nil }
    self.device = device
    self.counter = counter
    self.signed = signed
    self.bytes = bytes
  }

  /// The signed text.
  public var text: String {
    var lines = ["mien-capture-1", "device=\(device.text)", "counter=\(counter)"]
    lines += CapturePart.allCases.map { "\($0.rawValue)=\(signed[$0]?.description ?? "-")" }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Verifies that the device signed this text; does not cover the received parts.
  func isValid(under key: DeviceKey) -> Bool {
    key.isValid(bytes, over: Array(text.utf8))
  }
}

/// The parts of a capture that a signature covers, in the order of the signed text.
public enum CapturePart: String, Codable, Hashable, Sendable, CaseIterable {
  case photo
  case depth = "depth_map"
  case metadata
  case detection
  case burst
  case clip
}

/// One digest for each part that a capture has.
public struct CaptureDigests: Hashable, Sendable {
  private var digests: [CapturePart: ContentDigest] = [:]

  public init() {}

  public subscript(part: CapturePart) -> ContentDigest? {
    get { digests[part] }
    set { digests[part] = newValue }
  }

  /// Returns the parts in which two sets differ, in the order of the parts.
  public func differences(to other: CaptureDigests) -> [CapturePart] {
    CapturePart.allCases.filter { self[$0] != other[$0] }
  }
}

/// A device's public key on P-256.
public struct DeviceKey: Hashable, Sendable {
  /// 65 bytes: 4, x, y (ANSI X9.63).
  public let bytes: [UInt8]

  /// Returns `nil` if the bytes are not a point on the curve.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 65, (try? P256.Signing.PublicKey(x963Representation: bytes)) != nil else { return nil }
    self.bytes = bytes
  }

  /// Creates a key from the coordinates of a JSON Web Key in base64url.
  public init?(x: String, y: String) {
    guard let x = Base64URL.decode(x), let y = Base64URL.decode(y), x.count == 32, y.count == 32 else { return nil }
    self.init(bytes: [4] + x + y)
  }
}

/// A device that signs captures.
public struct CaptureDevice: Hashable, Sendable {
  public let id: DeviceID
  public let key: DeviceKey
  /// Counter of the latest capture whose parts were the signed ones; 0 before the first.
  public let counter: Int64
  public let created: UnixTime
  /// Key of the app that vouched for this device's key; `nil` if none did.
  public let attested: AttestedKey?

  public init(
    id: DeviceID, key: DeviceKey, counter: Int64, created: UnixTime, attested: AttestedKey? = nil
  ) {
    self.id = id
    self.key = key
    self.counter = counter
    self.created = created
    self.attested = attested
  }
}
