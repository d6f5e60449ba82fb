internal import MienScanFormat
internal import MienReconstruction
internal import MienCore

/// Parses the table `odometry.csv` of Stray Scanner: `timestamp, frame, x, y, z, qx, qy, qz, qw` and, in newer
/// recordings, `fx, fy, cx, cy`; before 2022 only `x, y, z, qx, qy, qz, qw`, with one row per frame.
struct StrayOdometryTable {
  struct Row {
    let seconds: Double
    let pose: CameraPose?
    /// Intrinsics in pixels of the video.
    let camera: PinholeIntrinsics?
  }

  static let file = "odometry.csv"
  /// Frame rate of the app's camera, used if there are no timestamps.
  private static let usualRate = 60.0

  /// Rows by frame number.
  let rows: [Int: Row]
  /// Messages about missing data, for people.
  let remarks: [ScanDiagnostic]

  init(_ text: String) throws(ScanError) {
    var (table, isCut) = try NumberListParser.growingTable(text, file: Self.file)
    let isOld = table.first?.count == 7
    // The app appends rows while recording; an abrupt end truncates the last one.
    if let last = table.last, table.count > 1, last.count < (isOld ? 7 : 9) {
      table.removeLast()
      isCut = true
    }
    let isEnded = text.utf8.last.map { $0 == 0x0A || $0 == 0x0D } ?? true
    var rows: [Int: Row] = [:]
    for (number, values) in table.enumerated() {
      do {
        let (frame, row) = try Self.row(values, number: number, isOld: isOld)
        rows[frame] = row
      } catch {
        // The last number of a truncated row may be incomplete.
        guard number == table.count - 1, number > 0, !isEnded, error.code == .refused else { throw error }
        isCut = true
      }
    }
    self.rows = rows
    remarks =
      (isOld ? [ScanDiagnostic(.noteNoTimes)] : [])
      + (isCut ? [ScanDiagnostic(.noteRowCutOff, ["name": Self.file])] : [])
  }

  private static func row(
    _ values: [Double], number: Int, isOld: Bool
  ) throws(ScanError) -> (frame: Int, Row) {
    let first = isOld ? 0 : 2
    guard values.count >= first + 7, values.prefix(first).allSatisfy(\.isFinite),
      let frame = isOld ? number : Int(exactly: values[1])
    else {
      throw ScanError(
        .damaged, "\(file): row \(number + 1) has not \(isOld ? "seven" : "nine") numbers", frame: number)
    }
    let pose = try DepthImageReader.pose(
      quaternion: Array(values[first + 3..<first + 7]), place: Array(values[first..<first + 3]), frame: number, file)
    let camera =
      values.count >= 13
      ? PinholeIntrinsics(
        fx: Float(values[9]), fy: Float(values[10]), cx: Float(values[11]), cy: Float(values[12])) : nil
    let seconds = isOld ? Double(number) / usualRate : values[0]
    return (frame, Row(seconds: seconds, pose: pose?.turnedAboutX, camera: camera))
  }
}
