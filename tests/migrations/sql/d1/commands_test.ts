/** Every command on a local D1, one after the other, and what each prints as JSON. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Project, project } from "./project.ts";

const FILES = {
  "migrations/0001_users.sql": "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL);\n",
  "migrations/0002_posts.sql":
    "CREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users ON DELETE CASCADE);\n",
  "migrations/0003_tags.sql": "CREATE TABLE tags (name TEXT);\nINSERT INTO tags VALUES ('a');\n",
};

/** The document that a command prints with `--json`. */
async function json(space: Project, ...args: readonly string[]) {
  const { code, stdout, stderr } = await space.run(...args, "--json");
  return { code, stderr, value: JSON.parse(stdout) };
}

Deno.test("local D1 + all commands work, with and without JSON", async (t) => {
  await using space = await project(FILES);
  const states = async () => {
    const { value } = await json(space, "status");
    return value.connections[0].files.map(({ state }: { readonly state: string }) => state);
  };

  await t.step("validate, without a database", async () => {
    assertEquals((await space.run("validate")).code, 0);
    const { code, value } = await json(space, "validate");
    assertEquals([code, value.connections.length], [0, 1]);
    await space.write("migrations/0004_wrong.sql", "VACUUM;\n");
    const wrong = await space.run("validate");
    assertEquals(wrong.code, 3);
    assertStringIncludes(wrong.stdout + wrong.stderr, "D1 does not allow VACUUM: remove it");
    await space.remove("migrations/0004_wrong.sql");
  });

  await t.step("status and plan make no database", async () => {
    assertEquals((await space.run("status", "--check")).code, 4);
    const { code, value } = await json(space, "plan");
    assertEquals([code, value.connections.length], [0, 1]);
    const before = await Array.fromAsync(Deno.readDir(space.path), ({ name }) => name);
    assert(!before.includes(".wrangler"), before.join());
  });

  await t.step("baseline, and the rest is applied", async () => {
    assertEquals((await json(space, "baseline", "--until", "0001_users.sql")).code, 0);
    assertEquals(await states(), ["applied", "pending", "pending"]);
    const { code, value } = await json(space, "migrate");
    // The first file was only recorded.
    assertEquals(code, 0, JSON.stringify(value));
    assertEquals(await states(), ["applied", "applied", "applied"]);
    space.query("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL)");
    assertMatch((await space.run("migrate")).stdout, /up to date, 3 unchanged/);
  });

  await t.step("resolve, after a file without a transaction was cut off", async () => {
    const text =
      "-- irori: no-transaction\nINSERT INTO tags VALUES ('b');\nINSERT INTO tags VALUES (x);\n";
    await space.write("migrations/0004_more.sql", text);
    assertEquals((await space.run("migrate")).code, 8);
    const again = await space.run("migrate");
    assertEquals(again.code, 9, again.stderr);
    space.query("DELETE FROM tags WHERE name = 'b'");
    const resolved = await json(space, "resolve", "0004_more.sql", "--retry");
    assertEquals(resolved.code, 0, resolved.stderr);
    await space.write("migrations/0004_more.sql", text.replace("(x)", "('c')"));
    assertEquals((await space.run("migrate")).code, 0);
    assertEquals(space.query("SELECT name FROM tags"), [{ name: "a" }, { name: "b" }, {
      name: "c",
    }]);
  });

  await t.step("schema, types and drift know what D1 and wrangler have of their own", async () => {
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
    assertEquals((await json(space, "schema")).code, 0);
    assertEquals((await json(space, "types")).code, 0);
    space.query("ALTER TABLE users ADD COLUMN by_hand TEXT");
    const found = await json(space, "drift");
    assertEquals(found.code, 5);
    assertStringIncludes(JSON.stringify(found.value), "by_hand");
  });
});
