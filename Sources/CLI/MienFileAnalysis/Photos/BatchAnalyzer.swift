internal import Foundation
internal import MienAuthenticity
internal import MienCodecs
internal import MienFiles
internal import MienImaging

/// Analyzes many images on all cores, with one decoder and one image in memory per core.
struct BatchAnalyzer: Sendable {
  /// Result for one image.
  struct Photo: Sendable {
    var results: DetectionResults?
    var measures: CaptureAnalyzer.Measured?
    /// Reason why the image could not be read.
    var problem: String?
  }

  /// `true` if the raw measurements are returned along with the results.
  var measures: Bool
  /// The network of the texture check.
  var network: any TextureFeatureReading

  /// Returns the results in the order of `paths`.
  ///
  /// - Parameter progress: called with the number of finished images and their total.
  func read(_ paths: [String], progress: (Int, Int) -> Void) async throws -> [Photo] {
    let workers = min(max(1, ProcessInfo.processInfo.activeProcessorCount), paths.count)
    var photos = [Photo?](repeating: nil, count: paths.count)
    var done = 0
    try await withThrowingTaskGroup(of: [(Int, Photo)].self) { group in
      // Small batches, so that no core is idle for long at the end.
      var shares = stride(from: 0, to: paths.count, by: 4).makeIterator()
      func start() {
        guard let first = shares.next() else { return }
        let share = first..<min(first + 4, paths.count)
        group.addTask { @concurrent in try await read(paths, share) }
      }
      for _ in 0..<workers { start() }
      while let share = try await group.next() {
        for (index, photo) in share { photos[index] = photo }
        done += share.count
        progress(done, paths.count)
        start()
      }
    }
    return photos.map { $0 ?? Photo(problem: "not read") }
  }

  private func read(_ paths: [String], _ share: Range<Int>) async throws -> [(Int, Photo)] {
    var decoder = try YCbCrDecoder(limits: PhotoFile.limits)
    let analyzer = CaptureAnalyzer()
    var photos: [(Int, Photo)] = []
    for index in share {
      do {
        let image = try PhotoFile.image(paths[index], &decoder)
        let capture = await network.addingFeatures(to: CaptureInput(image: image))
        photos.append(
          (
            index,
            Photo(results: analyzer.analyze(capture), measures: measures ? analyzer.measured(capture) : nil)
          ))
      } catch let error as OperationError {
        photos.append((index, Photo(problem: "\(error)")))
      }
    }
    return photos
  }
}
