import Foundation
import MienAuthenticity
import MienCodecs
import MienImaging

/// Analyses many pictures on all cores, with one decoder and one picture in memory for each.
struct BatchAnalyzer: Sendable {
  /// What became of one picture.
  struct Photo: Sendable {
    var results: DetectionResults?
    var measures: CaptureAnalyzer.Measured?
    /// Why it could not be read.
    var problem: String?
  }

  /// True when what was measured is wanted beside the results.
  var measures: Bool

  /// In the order of `paths`, with a progress bar.
  func read(_ paths: [String]) async throws -> [Photo] {
    let workers = min(max(1, ProcessInfo.processInfo.activeProcessorCount), paths.count)
    var photos = [Photo?](repeating: nil, count: paths.count)
    var progress = Terminal.Progress()
    var done = 0
    try await withThrowingTaskGroup(of: [(Int, Photo)].self) { group in
      // Small shares, so that no core waits long at the end.
      var shares = stride(from: 0, to: paths.count, by: 4).makeIterator()
      func start() {
        guard let first = shares.next() else { return }
        let share = first..<min(first + 4, paths.count)
        group.addTask { @concurrent in try read(paths, share) }
      }
      for _ in 0..<workers { start() }
      while let share = try await group.next() {
        for (index, photo) in share { photos[index] = photo }
        done += share.count
        progress.show(done, of: paths.count, what: "pictures")
        start()
      }
    }
    return photos.map { $0 ?? Photo(problem: "not read") }
  }

  private func read(_ paths: [String], _ share: Range<Int>) throws -> [(Int, Photo)] {
    var decoder = try YCbCrDecoder(limits: PhotoFile.limits)
    let analyzer = CaptureAnalyzer()
    var photos: [(Int, Photo)] = []
    for index in share {
      do {
        let image = try PhotoFile.image(paths[index], &decoder)
        photos.append(
          (
            index,
            Photo(
              results: analyzer.analyze(CaptureInput(image: image)),
              measures: measures ? analyzer.measured(image) : nil)
          ))
      } catch let error as CommandError {
        photos.append((index, Photo(problem: "\(error)")))
      }
    }
    return photos
  }
}
