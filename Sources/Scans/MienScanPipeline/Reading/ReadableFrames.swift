package import MienScanFiles
package import MienScanFormat

/// The frames of a scan in their order, without those that cannot be read.
///
/// All commands and the server read frames this way, so that a damaged frame, one with an invalid pose or a map of
/// another size is handled in the same way everywhere: it is left out, reported and counted. Only a scan without any readable
/// frame is an error.
package struct ReadableFrames {
  /// Number of frames of the scan, with unreadable ones.
  package let total: Int
  /// Number of frames read or left out so far.
  package private(set) var position = 0
  /// Number of frames left out so far.
  package private(set) var leftOutCount = 0
  private var cursor: ScanImporter.Cursor
  private var firstError: ScanError?
  private let onLeftOut: (Int, ScanError) -> Void

  /// Maximum number of frames that are reported one by one.
  package static let mostReported = 10

  /// - Parameter onLeftOut: receives the number of each of the first ``mostReported`` frames that is left out, and the
  ///   reason.
  package init(_ scan: ScanImporter, onLeftOut: @escaping (Int, ScanError) -> Void = { _, _ in }) {
    total = scan.frameCount
    cursor = scan.cursor()
    self.onLeftOut = onLeftOut
  }

  /// Returns the next readable frame; nil after the last one.
  ///
  /// - Throws: ``ScanError`` of the first frame if no frame of the scan can be read.
  package mutating func next() throws(ScanError) -> ScanFrame? {
    while position < total {
      let number = position
      position += 1
      do throws(ScanError) {
        return try cursor.frame(at: number)
      } catch {
        leftOutCount += 1
        firstError = firstError ?? error
        if leftOutCount <= Self.mostReported { onLeftOut(number, error) }
      }
    }
    if leftOutCount == total, let firstError { throw firstError }
    return nil
  }

  /// English message about the frames left out; nil if there are none.
  package var summary: String? {
    leftOutCount == 0 ? nil : "\(leftOutCount) of \(total) frames are left out: they cannot be read."
  }
}

extension ScanError {
  /// English message about a frame that is left out.
  func words(leavingOut frame: Int) -> String { "frame \(frame) is left out: \(reason)" }
}
