import MienStore
import Testing

@Suite struct `PostgreSQL URLs` {
  @Test(arguments: [
    "postgres://u:p@db.example/mien", "postgresql://u:p@db.example:5432/mien?sslmode=require",
    "postgresql://postgres.abc:p%40ss@aws-0-eu.pooler.supabase.com:6543/postgres?pgbouncer=true&connection_limit=1",
    "postgres:///mien?host=/var/run/postgresql&schema=other_1",
  ]) func `URLs of libpq and Supabase are parsed`(text: String) {
    #expect(PostgresURL(text) != nil)
  }

  @Test(arguments: [
    "", "mysql://h/d", "host=h dbname=d", "postgres://h/d?nonsense=1", "postgres://h/%zz",
    "postgres://h/d?schema=", "postgres://h/d?schema=a;drop", "postgres://h/d?schema=1a", "postgres://h/d?schema=Ab",
    "postgres://h/d?schema=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "postgres://h/d?connection_limit=0",
    "postgres://h/d?connection_limit=101", "postgres://h/d?connection_limit=x", "postgres://h/d?pgbouncer=maybe",
  ]) func `invalid URLs are rejected`(text: String) {
    #expect(PostgresURL(text) == nil)
  }

  @Test func `printing reveals neither user nor password`() throws {
    let address = try #require(PostgresURL("postgres://ada:swordfish@db.example:5433/mien?sslpassword=herring"))
    #expect("\(address)" == "postgres://db.example:5433/mien")
    var dumped = ""
    dump(address, to: &dumped)
    for text in [dumped, String(reflecting: address)] {
      #expect(!text.contains("swordfish") && !text.contains("herring") && !text.contains("ada"))
    }
  }

  @Test func `connection limit and schema are parsed`() throws {
    let plain = try #require(PostgresURL("postgres://h/d"))
    #expect(plain.connections == 8 && plain.schema == "mien")
    let said = try #require(PostgresURL("postgres://h/d?connection_limit=3&schema=b&sslmode=disable"))
    #expect(said.connections == 3 && said.schema == "b")
  }
}
