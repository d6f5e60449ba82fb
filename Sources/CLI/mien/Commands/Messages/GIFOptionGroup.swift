import ArgumentParser
import MienAvatars

/// Options of commands that write a message's GIF.
struct GIFOptionGroup: ParsableArguments {
  @Option(help: "classic: one image for each expression; smooth: in-between images, at most 60 KB.")
  var style = Style.classic
  @Option(help: "Seconds for which the message ID is shown, 0.5 to 10.")
  var idSeconds = 0.5

  enum Style: String, ExpressibleByArgument, CaseIterable { case classic, smooth }

  func validate() throws {
    guard GIFOptions.labelSeconds.contains(idSeconds) else { throw ValidationError("--id-seconds must be 0.5 to 10.") }
  }

  /// The validated options.
  var options: GIFOptions {
    GIFOptions(style: style == .smooth ? .smooth : .classic, labelSeconds: idSeconds) ?? GIFOptions()
  }
}
