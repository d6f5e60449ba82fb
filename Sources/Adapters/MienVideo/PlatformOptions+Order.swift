internal import Subprocess

extension PlatformOptions {
  /// Whoever does not wait any longer asks a process to end before it is killed: `timeout` hands the one on to what it runs, and cannot
  /// the other.
  static var endedInOrder: PlatformOptions {
    var options = PlatformOptions()
    options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(3))]
    return options
  }
}
