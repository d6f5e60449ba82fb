public import MienScanFormat

// Loop closure: when the camera revisits an earlier view, the whole trajectory is adjusted so that both views agree.

extension Reconstructor {
  /// Detects and closes loops after the last frame.
  ///
  /// - Parameter isWanted: called periodically; returns `false` to cancel without changing anything.
  /// - Returns: the number of frames to fuse again with ``fuseAgain()``; 0 if nothing changed.
  public mutating func closeLoops(while isWanted: () -> Bool = { true }) -> Int {
    chooseLargestPiece()
    guard settings.closesLoops, settings.refinesPoses else { return 0 }
    keepLast()
    let frames = keyframes.all
    guard frames.count > 3 else { return 0 }
    let loops = LoopClosureDetector(tracking: tracking, largestStep: settings.filter.largestStep).loops(
      frames, while: isWanted)
    guard !loops.isEmpty else { return 0 }
    var graph = PoseGraph(frames.map(\.pose), edges: Self.way(frames) + loops)
    guard graph.solve(while: isWanted), graph.loopCount > 0 else { return 0 }
    // Aligns the result to the device's current position; without device poses, the first camera is the origin.
    if let last = frames.last, last.isGiven, let end = graph.poses.last {
      graph.move(by: RigidMotion(from: end, to: last.pose))
    }
    let changes = zip(frames, graph.poses).map { $0.pose.distance(to: $1) + $0.distance * $0.pose.turn(to: $1) }
    guard let largest = changes.max(), largest > settings.voxel / 4 else { return 0 }
    let bend = zip(frames, graph.poses).map { $0.pose.distance(to: $1) }.reduce(0, max)
    return beginAgain(at: Self.bent(poses, frames, graph.poses), loops: graph.loopCount, bend: bend)
  }

  /// Returns the odometry edges between consecutive keyframes, accurate to one milliradian and one millimeter plus 0.5
  /// % of the step.
  private static func way(_ frames: [Keyframe]) -> [PoseGraph.Edge] {
    zip(frames, frames.dropFirst()).enumerated().map { number, pair in
      let (a, b) = pair
      let information = PoseInformationMatrix(
        turnNoise: 0.001 + 0.005 * a.pose.turn(to: b.pose), shiftNoise: 0.001 + 0.005 * a.pose.distance(to: b.pose))
      return PoseGraph.Edge(
        from: number, to: number + 1, start: a.pose, end: b.pose, information: information, isLoop: false)
    }
  }

  /// Returns the poses of all frames after the keyframes were moved: frames between two keyframes interpolate their
  /// motions.
  static func bent(_ poses: [CameraPose?], _ frames: [Keyframe], _ moved: [CameraPose]) -> [CameraPose?] {
    var bent = poses
    for (number, pair) in zip(frames, frames.dropFirst()).enumerated() {
      let (a, b) = pair
      let (motionA, motionB) = (
        RigidMotion(from: a.pose, to: moved[number]), RigidMotion(from: b.pose, to: moved[number + 1])
      )
      for frame in a.frame...b.frame {
        guard let pose = poses[frame], let early = motionA.moved(pose), let late = motionB.moved(pose) else { continue }
        let part = Float(frame - a.frame) / Float(b.frame - a.frame)
        let step = early.motion(to: late).map { Float($0) * part }
        let motion = RigidMotion(
          turn: SIMD3(step[0], step[1], step[2]), shift: SIMD3(step[3], step[4], step[5]), about: early.position)
        bent[frame] = motion.moved(early) ?? pose
      }
    }
    return bent
  }
}

/// Correction of camera poses found during reconstruction, for images taken by the same device during the scan.
public struct PoseCorrection: Sendable {
  private let pairs: [(given: CameraPose, found: CameraPose)]

  init(_ pairs: [(given: CameraPose, found: CameraPose)]) { self.pairs = pairs }

  /// Returns a device pose with the correction of the nearest frame applied, or unchanged if no frame had a pose.
  public func corrected(_ pose: CameraPose) -> CameraPose {
    let near = pairs.min { apart($0.given, pose) < apart($1.given, pose) }
    return near.flatMap { RigidMotion(from: $0.given, to: $0.found).moved(pose) } ?? pose
  }

  /// Distance between poses; a rotation of one radian counts as one meter.
  private func apart(_ a: CameraPose, _ b: CameraPose) -> Float { a.distance(to: b) + a.turn(to: b) }
}

extension Reconstructor {
  /// Difference between the frames' poses and those provided by the device.
  public var correction: PoseCorrection {
    PoseCorrection(
      zip(givenPoses, poses).compactMap { given, found in given.flatMap { given in found.map { (given, $0) } } })
  }
}
