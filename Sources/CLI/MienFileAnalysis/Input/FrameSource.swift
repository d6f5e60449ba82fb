package import MienPlatform
internal import Foundation
package import MienCore
internal import MienFiles
internal import MienRecordings

/// Runs the frames of videos, images or folders of images through the tracker.
package struct FrameSource {
  private let observer: any FaceTracking
  private let paths: [String]

  package init(observer: any FaceTracking, paths: [String]) {
    self.observer = observer
    self.paths = paths
  }

  /// One frame with its observation.
  package struct Seen {
    /// Name for use in output: the file name and, for a video, the frame number.
    package let name: String
    package let jpeg: [UInt8]
    package let observation: FaceObservation
    package let index: Int
    package let total: Int
  }

  /// Observes every frame; images are processed independently, the frames of a video are tracked.
  package func forEach(_ body: (Seen) async throws -> Void) async throws {
    var images: [String] = []
    for path in paths {
      if Input.isFolder(path) {
        images += try Input.images(in: path)
      } else if Input.isImage(path) {
        images.append(path)
      } else {
        try await video(path, body)
      }
    }
    for (index, path) in images.enumerated() {
      let bytes = try InputFile.bytes(path)
      let at = MonotonicInstant(nanoseconds: Int64(index) * 1_000_000_000)
      let observation = try await look(EncodedFrame(bytes: bytes, at: at), path).observation
      try await body(
        Seen(
          name: URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent, jpeg: bytes,
          observation: observation, index: index, total: images.count))
    }
  }

  private func video(_ path: String, _ body: (Seen) async throws -> Void) async throws {
    var track = observer.newTrack()
    let stem = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    try await VideoFrames(path: path).forEach { frame, index, total in
      let seen = try await look(frame, path, after: track)
      track = seen.track
      try await body(
        Seen(
          name: stem + String(format: "-%05d", index), jpeg: frame.bytes, observation: seen.observation,
          index: index, total: total))
    }
  }

  private func look(_ frame: EncodedFrame, _ path: String, after track: FaceTrack? = nil) async throws
    -> (observation: FaceObservation, track: FaceTrack, took: Interval)
  {
    do {
      return try await observer.observe(frame, after: track ?? observer.newTrack())
    } catch let error as FaceTrackingError {
      throw OperationError("\(path): \(error.reason)")
    }
  }
}

extension ClientObservation {
  /// Converts an observation of this tracker to the form stored in a recording.
  package init(_ observation: FaceObservation) {
    self.init(
      at: observation.at, faceCount: observation.faceCount, box: observation.face?.box, pose: observation.face?.pose,
      blendshapes: observation.face?.blendshapes)
  }
}
