/** Every command of the core on a local D1, one after the other, and what each prints as JSON. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type ConfigMap, createConfig } from "../../../../src/config/mod.ts";
import { titleOf } from "../../../../src/migrations/connections.ts";
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

Deno.test("local D1 + the commands of the core work, with and without JSON", async (t) => {
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
});

Deno.test("D1 + plan, status and migrate say which of the two databases it is", async () => {
  await using space = await project(FILES);
  for (const args of [["plan"], ["status"], ["migrate"]]) {
    assertMatch((await space.run(...args)).stdout, /^main \(local\): /m, args.join(" "));
  }
  const titled = (datasource: ConfigMap) =>
    titleOf(
      "sql",
      { config: createConfig({ datasource: { name: "main", ...datasource } }) },
      "main",
    );
  assertEquals(titled({ url: "d1:DB?remote" }), "main (Cloudflare)");
  assertEquals(titled({ url: "d1:DB", "migrations.url": "d1:DB?remote" }), "main (Cloudflare)");
  assertEquals(titled({ url: "sqlite:a.db?remote" }), "main");
});
