import ArgumentParser
import MienRuntime

/// Locations of the assets that the program needs at run time.
struct AssetOptions: ParsableArguments {
  @Option(help: "Folder with the face models (default: .mien/models beside the package, or $MIEN_PARTS/models).")
  var models: String?

  var location: AssetLocation { AssetLocation(models: models) }
}
