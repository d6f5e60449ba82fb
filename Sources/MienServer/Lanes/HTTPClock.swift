internal import MienModel
internal import MienService
internal import Synchronization

/// The date that replies carry, written once a second.
final class HTTPClock: Sendable {
  private let last = Mutex<(second: Int64, text: String)>((-1, ""))

  func text(_ time: UnixTime) -> String {
    let second = time.milliseconds / 1000
    return last.withLock { last in
      if last.second != second { last = (second, HTTPDate.text(time)) }
      return last.text
    }
  }
}
