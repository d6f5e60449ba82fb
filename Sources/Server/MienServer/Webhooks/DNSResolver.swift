internal import Dispatch
internal import MienWebhooks
internal import NIOCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Resolver for the addresses of a host.
protocol DNSResolver: Sendable {
  /// Returns all addresses of a host name, or of an address in any format that the system parses; empty if there are
  /// none in time.
  func addresses(of host: String) async -> [InternetAddress]
}

/// Resolver that uses the system's `getaddrinfo`.
struct SystemResolver: DNSResolver {
  /// Timeout, which is shorter than the system's own.
  let limit: TimeAmount
  let loop: any EventLoop

  /// Concurrent queue, so that a lookup that never completes blocks only its own thread.
  private static let queue = DispatchQueue(label: "mien.resolver", attributes: .concurrent)

  func addresses(of host: String) async -> [InternetAddress] {
    let promise = loop.makePromise(of: [InternetAddress].self)
    // The later of the two has no effect on the completed promise.
    let timeout = loop.scheduleTask(in: limit) { promise.succeed([]) }
    Self.queue.async { promise.succeed(Self.look(up: host)) }
    let found = try? await promise.futureResult.get()
    timeout.cancel()
    return found ?? []
  }

  private static func look(up host: String) -> [InternetAddress] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    #if canImport(Glibc)
      unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      unsafe hints.ai_socktype = SOCK_STREAM
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
    defer { unsafe freeaddrinfo(list) }
    var found: [InternetAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let address = unsafe address(entry.pointee) { found.append(address) }
      unsafe next = entry.pointee.ai_next
    }
    return found
  }

  /// Returns the address in `sockaddr_in` (at byte 4) or `sockaddr_in6` (at byte 8).
  private static func address(_ entry: addrinfo) -> InternetAddress? {
    guard let start = unsafe UnsafeRawPointer(entry.ai_addr) else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(entry.ai_addrlen))
    switch unsafe entry.ai_family {
    case AF_INET where bytes.count >= 8: return unsafe InternetAddress(bytes: Array(bytes[4..<8]))
    case AF_INET6 where bytes.count >= 24: return unsafe InternetAddress(bytes: Array(bytes[8..<24]))
    default: return nil
    }
  }
}
