// Compiled with the object parsers of MienAttestation only, without certificate validation.

func seeds() -> [[UInt8]] {
  let (x, y) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
  let entry = { (key: CBORValue, value: CBORValue) in CBORValue.Entry(key: key, value: value) }
  let key = CBORValue.map([
    entry(.number(1), .number(2)), entry(.number(3), .number(-7)), entry(.number(-1), .number(1)),
    entry(.number(-2), .bytes(x)), entry(.number(-3), .bytes(y)),
  ])
  let head = x + [0x40, 0, 0, 0, 7]
  let data = head + Array("appattestdevelop".utf8) + [0, 32] + y + written(key)
  let statement = CBORValue.map([
    entry(.text("x5c"), .array([.bytes([0x30, 0]), .bytes([0x30, 0])])), entry(.text("receipt"), .bytes([7])),
  ])
  let attestation = CBORValue.map([
    entry(.text("fmt"), .text("apple-appattest")), entry(.text("attStmt"), statement),
    entry(.text("authData"), .bytes(data)),
  ])
  let assertion = CBORValue.map([
    entry(.text("signature"), .bytes([0x30, 0])), entry(.text("authenticatorData"), .bytes(head)),
  ])
  return [written(attestation), written(assertion), data, head]
}

func fuzz(_ bytes: [UInt8]) {
  do throws(CBORError) {
    let value = try CBORReader.whole(bytes)
    promise(written(value) == bytes, "what was read is written only so")
  } catch {
    promise(error.byte >= 0 && error.byte <= bytes.count, "a fault lies within the bytes")
  }
  if let object = try? AttestationObject(bytes) {
    promise((2...AttestationObject.maximumChain).contains(object.certificates.count), "a chain has its length")
    promise(object.authenticator.credential != nil, "an attestation has a credential")
    promise(object.authenticator.app.count == 32, "an app is a digest")
  }
  if let object = try? AssertionObject(bytes) { promise(object.authenticator.app.count == 32, "an app is a digest") }
  if let data = try? AuthenticatorData.ofAttestation(bytes), let credential = data.credential {
    promise(credential.aaguid.count == 16 && credential.id.count <= bytes.count, "a credential lies within the bytes")
  }
  _ = try? AuthenticatorData.ofAssertion(bytes)
}

/// Encodes a value in its canonical form.
private func written(_ value: CBORValue) -> [UInt8] {
  func head(_ kind: UInt8, _ number: UInt64) -> [UInt8] {
    if number < 24 { return [kind << 5 | UInt8(number)] }
    let size = number < 0x100 ? 0 : number < 0x1_0000 ? 1 : number < 0x1_0000_0000 ? 2 : 3
    let bytes = (0..<1 << size).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    return [kind << 5 | UInt8(24 + size)] + bytes
  }
  return switch value {
  case .unsigned(let number): head(0, number)
  case .negative(let number): head(1, number)
  case .bytes(let bytes): head(2, UInt64(bytes.count)) + bytes
  case .text(let text): head(3, UInt64(text.utf8.count)) + Array(text.utf8)
  case .array(let values): head(4, UInt64(values.count)) + values.flatMap(written)
  case .map(let entries): head(5, UInt64(entries.count)) + entries.flatMap { written($0.key) + written($0.value) }
  }
}
