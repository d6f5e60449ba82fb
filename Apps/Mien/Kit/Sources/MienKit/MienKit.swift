// The app imports this module only; it gets those of Mien.
@_exported import MienApple
