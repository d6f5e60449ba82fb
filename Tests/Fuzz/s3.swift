func seeds() -> [[UInt8]] {
  [
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>SlowDown</Code><Message>a &amp; b</Message></Error>",
    "<ListBucketResult xmlns=\"x\"><IsTruncated>true</IsTruncated><Contents><Key>a&#x2F;&lt;</Key></Contents></ListBucketResult>",
    "<InitiateMultipartUploadResult a='b'><UploadId/></InitiateMultipartUploadResult >",
  ].map { Array($0.utf8) }
}

func fuzz(_ bytes: [UInt8]) {
  do throws(S3XMLError) {
    check(try S3XMLNode.read(bytes), depth: 0, within: bytes.count)
  } catch {
    if case .malformed(let place) = error { promise(place <= bytes.count, "what is wrong is in the document") }
  }
}

/// Checks that the parsed tree's depth is limited and its size does not exceed the input's.
private func check(_ element: S3XMLNode, depth: Int, within count: Int) {
  promise(depth < 8, "elements are only so deep")
  promise(!element.name.isEmpty && element.name.utf8.count <= 64, "an element has a name")
  promise(element.text.utf8.count <= count, "text comes from the document")
  for child in element.children { check(child, depth: depth + 1, within: count) }
}
