import Foundation

func seeds() -> [[UInt8]] {
  [
    "https://example.com/hooks?a=b", "http://127.0.0.1:8080/", "https://[::1]:443/x", "https://xn--mnchen-3ya.de/",
    "https://user:word@host/", "https://a@b/#c", "HTTPS://EXAMPLE.COM.", "https://host:99999/", "https://%6c%6f/",
  ].map { Array($0.utf8) }
}

func fuzz(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  for allowsPrivate in [false, true] {
    do throws(WebhookURL.RejectionReason) {
      let target = try WebhookURL(text, allowsPrivate: allowsPrivate)
      let lower = text.lowercased()
      promise(target.url == text && text.utf8.count <= 2048, "an address stays as it was given")
      promise(lower.hasPrefix("https:") || allowsPrivate && lower.hasPrefix("http:"), "no other scheme is posted to")
      promise(!target.host.isEmpty && target.host.utf8.count <= 253, "there is a host")
      promise(!text.contains("@") && !text.contains("#"), "nothing says who posts")
      // The host to resolve and the host to connect to must be the same.
      promise(
        URL(string: text)?.host?.trimmingBrackets.lowercased() == target.host.lowercased(), "the host is the URL's")
      promise(
        lower.contains("//" + target.host.lowercased()) || lower.contains("//[" + target.host.lowercased()),
        "the host stands where a host stands")
    } catch {
      promise(!error.reason.isEmpty, "a refusal has words")
    }
  }
}

extension String {
  fileprivate var trimmingBrackets: String { hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self }
}
