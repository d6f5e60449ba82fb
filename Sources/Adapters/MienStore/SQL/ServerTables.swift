/// Tables and columns for the schema and the coordination of servers, which are not copied to another database.
enum ServerTables {
  static let names: Set<String> = ["migration", "server", "blob_place"]
  static let columns: Set<String> = ["worker", "arrival"]
}
