internal import MienAvatars
internal import MienCore
internal import MienPlatform

/// Limits the performances in progress on one server, in total, per caller and per message, so that one caller cannot
/// use up the capacity for all others.
struct PerformanceAdmission {
  struct Place {
    let caller: String?
    let message: MessageID?
    let until: UnixTime
    /// `true` for a complete recording that has not locked a message yet.
    var isWaiting = false
  }

  let settings: MessageSettings
  private var places: [CheckID: Place] = [:]

  init(_ settings: MessageSettings) { self.settings = settings }

  /// Admits a performance, or extends its admission.
  ///
  /// - Throws: ``ServiceError`` with `busy` if the limit is reached.
  mutating func admit(
    _ id: CheckID, for purpose: PerformancePurpose, of caller: String?, until: UnixTime
  ) throws {
    if places[id] == nil { try expectPlace(for: purpose, of: caller) }
    places[id] = Place(caller: caller, message: purpose.message, until: until)
  }

  /// Marks a recording as complete and waiting for its message.
  mutating func waits(_ id: CheckID) { places[id]?.isWaiting = true }

  mutating func leave(_ id: CheckID) { places[id] = nil }

  mutating func remove(at time: UnixTime) { places = places.filter { time < $0.value.until } }

  private func expectPlace(for purpose: PerformancePurpose, of caller: String?) throws {
    guard places.count < settings.maximumPerformances else {
      throw ServiceError(
        .busy, "\(settings.maximumPerformances) performances are in progress, the maximum on this server. Try again.")
    }
    guard let caller else { return }
    let all = places.values.filter { $0.caller == caller }
    let own = all.filter { !$0.isWaiting }
    guard own.count < settings.maximumPerformancesOfCaller else {
      throw ServiceError(
        .busy, "\(own.count) performances from this address are in progress, the maximum on this server. Try again.")
    }
    guard all.count < 4 * settings.maximumPerformancesOfCaller else {
      throw ServiceError(
        .busy, "Too many recordings from this address are waiting to lock a message. Try again.")
    }
    guard let message = purpose.message,
      own.count(where: { $0.message == message }) >= settings.maximumPerformancesOfMessage
    else { return }
    throw ServiceError(
      .busy, "Too many performances of this message from this address are in progress. Try again.")
  }
}

/// Purpose of a performance.
enum PerformancePurpose: Sendable {
  case record
  /// Opening a message, with the secret part of its link if it has one.
  case open(MessageID, link: String?)

  /// The message that the performance may open; `nil` for a recording.
  var message: MessageID? {
    if case .open(let id, _) = self { id } else { nil }
  }

  /// Secret part of the message's link; `nil` if there is none.
  var link: String? {
    if case .open(_, let link) = self { link } else { nil }
  }
}
