internal import MienAvatars
internal import MienCore

/// Who performs, or is about to, at one server: one caller shall not take everybody's places, in the house or before a message.
struct PerformanceAdmission {
  struct Place {
    let caller: String?
    let message: MessageID?
    let until: UnixTime
    /// True for a recording that is complete and has locked nothing yet.
    var isWaiting = false
  }

  let settings: MessageSettings
  private var places: [CheckID: Place] = [:]

  init(_ settings: MessageSettings) { self.settings = settings }

  /// Gives a performance its place, or the one that it has another time.
  ///
  /// - Throws: ``ServiceError`` with `busy` when there is none left.
  mutating func admit(
    _ id: CheckID, for purpose: PerformancePurpose, of caller: String?, until: UnixTime
  ) throws {
    if places[id] == nil { try expectPlace(for: purpose, of: caller) }
    places[id] = Place(caller: caller, message: purpose.message, until: until)
  }

  /// The recording is complete and waits for its message.
  mutating func waits(_ id: CheckID) { places[id]?.isWaiting = true }

  mutating func leave(_ id: CheckID) { places[id] = nil }

  mutating func forget(at time: UnixTime) { places = places.filter { time < $0.value.until } }

  private func expectPlace(for purpose: PerformancePurpose, of caller: String?) throws {
    guard places.count < settings.maximumPerformances else {
      throw ServiceError(
        .busy, "\(settings.maximumPerformances) performances are under way, the most this server takes. Try again.")
    }
    guard let caller else { return }
    let all = places.values.filter { $0.caller == caller }
    let own = all.filter { !$0.isWaiting }
    guard own.count < settings.maximumPerformancesOfCaller else {
      throw ServiceError(
        .busy, "\(own.count) performances are under way from this address, the most this server takes. Try again.")
    }
    guard all.count < 4 * settings.maximumPerformancesOfCaller else {
      throw ServiceError(
        .busy, "As many recordings from this address wait to lock a message as this server takes. Try again.")
    }
    guard let message = purpose.message,
      own.count(where: { $0.message == message }) >= settings.maximumPerformancesOfMessage
    else { return }
    throw ServiceError(
      .busy, "As many performances of this message are under way from this address as this server takes. Try again.")
  }
}
