internal import ArgumentParser
internal import MienCaptures
internal import MienChecks
internal import MienCore
internal import MienMessageService
internal import MienRuntime

/// Options of `mien serve` for liveness checks: what they ask, what their result depends on, and what is stored.
struct CheckOptions: ParsableArguments {
  enum Passive: String, ExpressibleByArgument, CaseIterable {
    case off, report, refuse

    var policy: PassivePolicy {
      switch self {
      case .off: .off
      case .report: .report
      case .refuse: .refuse
      }
    }
  }

  @Option(help: "Lifetime of a check and its token in seconds.")
  var lifetime = 180
  @Flag(inversion: .prefixedNo, help: "Store reference and audit images for sessions that request them.")
  var images = true
  @Option(help: "Seconds to keep stored images after the decision.")
  var imageLifetime = 600
  @Option(help: "Seconds to keep stored clips after the decision.")
  var clipLifetime = 3600
  @Option(
    help: "Days to keep results and all data of their checks; 0: until they are deleted.")
  var resultDays = 90
  @Option(
    help: """
      Strength of checks that request neither a strength nor tasks, and of all sessions of the AWS- and \
      Youverify-compatible APIs: basic (one head turn, which recordings pass), standard, or high.
      """)
  var defaultAssurance = AssuranceLevel.standard
  @Option(help: "Effect of passive signals on the result: off, report, or refuse.")
  var passive = Passive.refuse
  @Option(
    help: """
      Effect of frames reused from an earlier check on this server: off, report, or refuse. Use refuse only if people use \
      their own cameras: with a fixed camera, one person's head turns look alike.
      """)
  var replays = Passive.report
  @Option(
    help: """
      Effect of a change of person during a check: off, report, or refuse. Needs the recognition model (mien doctor).
      """)
  var personChange = Passive.refuse
  @Flag(
    help: """
      Allow persons to be enrolled for face match: store the templates of their faces, encrypted, until they are deleted. \
      Needs the recognition model (mien doctor).
      """)
  var templates = false
  @Flag(
    inversion: .prefixedNo,
    help: "Encode the requested clips of checks on this server; if disabled, they are reported as failed.")
  var clips = true
  @Option(
    help: "Failed checks within 3 minutes that lock out a person or device for 30 minutes; 0: no lockout.")
  var lockoutFailures = 5
  @Flag(
    help: """
      Allow checks and messages that rely on what a device reports: claimed observations, or depth captures without \
      tasks. Such a check can be passed, and such a message opened, without a camera.
      """)
  var allowClaimedObservations = false

  func validate() throws {
    guard (1...86_400).contains(lifetime) else { throw ValidationError("--lifetime must be 1 to 86400.") }
    guard (1...31_536_000).contains(imageLifetime) else {
      throw ValidationError("--image-lifetime must be 1 to 31536000.")
    }
    guard (1...31_536_000).contains(clipLifetime) else {
      throw ValidationError("--clip-lifetime must be 1 to 31536000.")
    }
    guard (0...36_500).contains(resultDays) else { throw ValidationError("--result-days must be 0 to 36500.") }
    guard (0...100).contains(lockoutFailures) else { throw ValidationError("--lockout-failures must be 0 to 100.") }
  }

  func apply(to settings: inout RuntimeSettings) {
    settings.encodesClips = clips
    settings.checks.lifetime = .seconds(Double(lifetime))
    settings.checks.keepsImages = images
    settings.checks.imageLifetime = .seconds(Double(imageLifetime))
    settings.checks.clipLifetime = .seconds(Double(clipLifetime))
    settings.checks.resultLifetime = Interval.days(resultDays)
    settings.checks.passive = passive.policy
    settings.checks.replays = replays.policy
    settings.checks.personChange = personChange.policy
    settings.checks.keepsTemplates = templates
    settings.checks.defaultAssurance = defaultAssurance
    settings.checks.allowsClaims = allowClaimedObservations
    settings.checks.lockout = LockoutSettings(failures: lockoutFailures)
    settings.messages.allowsClaims = allowClaimedObservations
  }
}
