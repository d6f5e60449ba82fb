import ArgumentParser
import MienRuntime

/// Location of a server's records: options shared by all commands that work beside a server.
struct StoreOptions: ParsableArguments {
  @Option(help: "The server's data folder.")
  var data = "data"
  @Option(help: ArgumentHelp("The server's --store, if it uses one.", valueName: "url"))
  var store: String?

  var location: StoreLocation { StoreLocation(data: data, store: store) }
}
