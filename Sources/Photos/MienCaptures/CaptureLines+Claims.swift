internal import MienPlatform
internal import Foundation
internal import MienImaging

/// Time and place: the client's claims compared with the photo's file and with the time of receipt.
extension CaptureLines {
  /// Tolerated difference between the clocks of devices, in milliseconds.
  private static let tolerance: Int64 = 120_000
  /// Maximum offset of a local time ahead of UTC and behind it, in milliseconds.
  private static let (mostAhead, mostBehind): (Int64, Int64) = (14 * 3_600_000, 12 * 3_600_000)
  /// Maximum distance in kilometers at which two places count as the same: the place in a file is rounded to a hundred
  /// meters, and positions indoors have larger errors.
  private static let samePlace = 1.0

  static func time(_ capture: CaptureRecord) -> VerificationLine {
    let recent: Int64 = 600_000
    let (claimed, file) = (capture.claims.metadata?.capturedAt, capture.claims.file)
    let received = capture.received.milliseconds
    if let file, let earliest = earliest(file), earliest - received > tolerance {
      return VerificationLine(.time, .fail, "file-time-in-future")
    }
    guard let claimed else {
      return file?.wallClock == nil
        ? VerificationLine(.time, .unavailable, "no-time") : VerificationLine(.time, .notChecked, "file-time")
    }
    let age = received - claimed
    if age < -tolerance { return VerificationLine(.time, .fail, "time-in-future") }
    let agrees = file.flatMap { agree($0, claimed) }
    if agrees == false { return VerificationLine(.time, .fail, "file-time-differs") }
    let remark = agrees == true ? ["file-time-agrees"] : []
    if age <= recent, capture.signature?.covers == true {
      return VerificationLine(.time, .pass, ["came-within-minutes"] + remark)
    }
    return VerificationLine(.time, .notChecked, ["time-claimed"] + remark)
  }

  /// Returns the earliest time that a file's time can denote.
  private static func earliest(_ file: ImageProvenance) -> Int64? {
    file.takenAt ?? file.wallClock.map { $0 - mostAhead }
  }

  /// Returns `true` if a file's time agrees with the claimed one; `nil` if the file has none. A local time in an unknown
  /// zone is compared modulo a quarter of an hour, because offsets of time zones are multiples of that.
  private static func agree(_ file: ImageProvenance, _ claimed: Int64) -> Bool? {
    if let taken = file.takenAt { return abs(taken - claimed) <= tolerance }
    guard let wall = file.wallClock else { return nil }
    let (ahead, quarter) = (wall - claimed, Int64(900_000))
    guard ahead <= mostAhead + tolerance, ahead >= -mostBehind - tolerance else { return false }
    let rest = ((ahead % quarter) + quarter) % quarter
    return min(rest, quarter - rest) <= tolerance
  }

  static func place(_ capture: CaptureRecord) -> VerificationLine {
    let claimed = capture.claims.metadata?.place
    guard let file = capture.claims.file, let latitude = file.latitude, let longitude = file.longitude else {
      return claimed == nil
        ? VerificationLine(.place, .unavailable, "no-place") : VerificationLine(.place, .notChecked, "place-claimed")
    }
    guard let claimed else { return VerificationLine(.place, .notChecked, "file-place") }
    let fileLocation = CaptureMetadata.Place(latitude: latitude, longitude: longitude)
    return kilometers(claimed, fileLocation) <= samePlace
      ? VerificationLine(.place, .notChecked, "place-claimed", "file-place-agrees")
      : VerificationLine(.place, .fail, "file-place-differs")
  }

  /// Returns the distance between two places on a sphere (haversine).
  private static func kilometers(_ one: CaptureMetadata.Place, _ two: CaptureMetadata.Place) -> Double {
    func square(_ degrees: Double) -> Double {
      let half = sin(degrees * .pi / 360)
      return half * half
    }
    let cosines = cos(one.latitude * .pi / 180) * cos(two.latitude * .pi / 180)
    let share = square(two.latitude - one.latitude) + cosines * square(two.longitude - one.longitude)
    return 2 * 6371 * asin(min(1, share.squareRoot()))
  }
}
