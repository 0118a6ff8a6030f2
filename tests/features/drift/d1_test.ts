/** A schema has nothing that D1 and wrangler keep in a database for themselves. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { project } from "../../migrations/sql/d1/project.ts";

const FILES = {
  "migrations/0001_users.sql": "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL);\n",
  "migrations/0002_posts.sql":
    "CREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users ON DELETE CASCADE);\n",
  "migrations/0003_tags.sql": "CREATE TABLE tags (name TEXT);\nINSERT INTO tags VALUES ('a');\n",
};

Deno.test("local D1 + schema, types and drift know what D1 and wrangler have of their own", async () => {
  await using space = await project(FILES);
  assertEquals((await space.run("migrate")).code, 0);
  space.query("CREATE TABLE _cf_METADATA (key INTEGER PRIMARY KEY, value BLOB)");
  const schema = await space.run("schema");
  assertEquals(schema.code, 0, schema.stderr);
  for (const table of ["users", "posts", "tags"]) {
    assertStringIncludes(schema.stdout, `CREATE TABLE ${table}`);
  }
  const text =
    "url: d1:DB\n    migrations: { enabled: true, schema_file: schema.sql, drift_ignore: [d1_migrations] }\n";
  await space.write("config/application.yml", `datasource:\n  - name: main\n    ${text}`);
  await space.write("migrations/0005_last.sql", "CREATE INDEX by_user ON posts (user_id);\n");
  assertEquals((await space.run("migrate")).code, 0);
  const written = await Deno.readTextFile(`${space.path}/schema.sql`);
  assertStringIncludes(written, "CREATE INDEX by_user");
  const checked = await space.run("schema", "--check");
  assertEquals(checked.code, 0, checked.stdout + checked.stderr + written);
  space.query(
    "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TEXT)",
  );
  const types = await space.run("types");
  assertEquals(types.code, 0, types.stderr);
  assertStringIncludes(types.stdout, "user_id");
  const drift = await space.run("drift");
  assertEquals(drift.code, 0, drift.stdout + drift.stderr);
  for (const { stdout } of [schema, types, drift, { stdout: written }]) {
    assert(!/_cf_|d1_migrations|framework_/.test(stdout), stdout);
  }
  assertEquals((await space.run("schema", "--json")).code, 0);
  assertEquals((await space.run("types", "--json")).code, 0);
  space.query("ALTER TABLE users ADD COLUMN by_hand TEXT");
  const found = await space.run("drift", "--json");
  assertEquals(found.code, 5);
  assertStringIncludes(found.stdout, "by_hand");
});
