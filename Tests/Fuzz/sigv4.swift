import MienCore

private let signature = String(repeating: "0a", count: 32)

func seeds() -> [[UInt8]] {
  let credential = "Credential=MIENEXAMPLE/20260131/eu-west-1/rekognition/aws4_request"
  let signed = "SignedHeaders=host;x-amz-date;x-amz-target"
  return [
    "AWS4-HMAC-SHA256 \(credential), \(signed), Signature=\(signature)\n20260131T235959Z\nhost\nx-amz-target\nx-amz-date",
    "AWS4-HMAC-SHA256 \(credential),\(signed),Signature=\(signature)\n20240229T000000Z\nx-amz-security-token",
    "AWS4-HMAC-SHA256 Credential=a/b/c/d/e, SignedHeaders=;;, Signature=\n\n",
  ].map { Array($0.utf8) }
}

/// Parses the first line as the header and the second as the date; the others are names of further headers.
func fuzz(_ bytes: [UInt8]) {
  let lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  var headers = [
    (name: "authorization", value: lines[0]), (name: "host", value: "a"), (name: "x-amz-target", value: "b"),
  ]
  if lines.count > 1 { headers.append((name: "x-amz-date", value: lines[1])) }
  for name in lines.dropFirst(2).prefix(80) { headers.append((name: name, value: "c")) }
  let request = SignedRequest(method: "POST", path: "/", query: nil, headers: headers, body: [])
  do throws(AWSError) {
    let claim = try SigV4Header(request)
    promise(claim.signature.count == 32, "a signature is a digest")
    promise((1...128).contains(claim.accessKey.utf8.count), "a key has a name")
    promise(AWSTimestamp.write(claim.time) == claim.timestamp, "a moment is read as it is written")
    for name in ["host", "x-amz-date", "x-amz-target"] {
      promise(claim.signedHeaders.contains(name), "what the meaning hangs on is signed")
    }
    for name in claim.signedHeaders {
      promise(headers.contains { $0.name == name }, "what is signed is a header of the request")
    }
    for name in ["x-amz-security-token", "x-amz-content-sha256"] where headers.contains(where: { $0.name == name }) {
      promise(claim.signedHeaders.contains(name), "what could be exchanged is signed")
    }
  } catch {
    promise(!error.message.isEmpty && error.kind.status >= 400, "a refusal has words")
  }
}
