internal import Subprocess

extension PlatformOptions {
  /// Options that terminate a process gracefully on cancellation before it is killed: `timeout` forwards SIGTERM to its child process,
  /// but cannot forward SIGKILL.
  static var endedInOrder: PlatformOptions {
    var options = PlatformOptions()
    options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(3))]
    return options
  }
}
