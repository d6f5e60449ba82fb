import Foundation

func seeds() -> [[UInt8]] {
  [
    "104857600\nscan c2NuXzE=,name ZGVwdGguYmlu,filetype YXBwbGljYXRpb24vem lw\nsha256 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "0\nfilename d29ybGQ=,is_confidential\nsha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
    "999999999999999999\na YQ==,a YQ==\nmd5 xA==", "٣\n, , ,\n",
  ].map { Array($0.utf8) }
}

/// Parses the first line as a number, the second as metadata, the third as a checksum.
func fuzz(_ bytes: [UInt8]) {
  let lines = bytes.split(separator: 10, maxSplits: 2, omittingEmptySubsequences: false)
    .map { String(decoding: $0, as: UTF8.self) }
  if let number = TusHeaders.number(lines[0]) {
    promise(number >= 0 && number < 1_000_000_000_000_000_000, "a number of bytes is one that can be counted with")
    promise(lines[0].utf8.count <= 18 && Int(lines[0]) == number, "a number is read as it is written")
  }
  if lines.count > 1 {
    do throws(TusHeaders.RejectionReason) {
      let metadata = try TusHeaders.metadata(lines[1])
      promise(metadata.count <= 32, "there are not more pairs than are read")
      for (key, value) in metadata {
        promise(!key.isEmpty && !key.contains(",") && !key.contains(" "), "a key has no separator in it")
        promise(value.utf8.count <= lines[1].utf8.count, "a value comes from the header")
      }
      let pairs = metadata.map { "\($0.key) \(Data($0.value.utf8).base64EncodedString())" }
      promise(
        (try? TusHeaders.metadata(pairs.joined(separator: ","))) == metadata, "pairs are read as they are written")
    } catch {
      promise(!error.reason.isEmpty, "a refusal has words")
    }
  }
  if lines.count > 2 {
    do throws(TusHeaders.RejectionReason) {
      guard let told = try TusHeaders.checksum(lines[2]) else { return promise(false, "a header says something") }
      promise(!told.algorithm.contains(" ") && told.digest.count <= 256, "a digest is no longer than its header")
    } catch {
      promise(!error.reason.isEmpty, "a refusal has words")
    }
  }
}
