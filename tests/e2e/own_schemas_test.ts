/** Migrations of the tables of the library. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { workspace } from "./command_line.ts";

const URLS = {
  sqlite: "sqlite:app.db",
  postgresql: "postgres://127.0.0.1:1/app",
  mysql: "mysql://127.0.0.1:1/app",
};

function configOf(kind: keyof typeof URLS): Record<string, string> {
  const text = `datasource:\n  - name: main\n    url: ${
    URLS[kind]
  }\n    migrations:\n      enabled: true\n`;
  return {
    "config/application.yml": text,
    "migrations/main/20260101-000000_a.sql": "CREATE TABLE a (id INTEGER);\n",
  };
}

Deno.test("new schedules-schema + is applied, and no part of the schema and of drift: SQLite", async () => {
  await using space = await workspace(configOf("sqlite"));
  const database = `sqlite:${space.path}/app.db`;
  await space.write(
    "config/application.yml",
    configOf("sqlite")["config/application.yml"]!.replace(URLS.sqlite, database),
  );
  for (const name of ["schedules-schema", "idempotency-schema"]) {
    const { code, stdout } = await space.run("new", name, "--json");
    assertEquals(code, 0);
    assertStringIncludes(stdout, `_${name}.sql`);
    const again = await space.run("new", name);
    assertEquals([again.code, again.stdout], [2, ""]);
    assertStringIncludes(again.stderr, "Nothing to write");
  }
  const { code, stderr } = await space.run("migrate");
  assertEquals(code, 0, stderr);
  const { stdout } = await space.run("schema");
  assertEquals(stdout, "CREATE TABLE a (id INTEGER);\n");
  assertEquals((await space.run("drift")).code, 0);
  const { stdout: types } = await space.run("types");
  assertEquals(/Tick|Key/.test(types), false, types);
});

for (const kind of ["postgresql", "mysql"] as const) {
  Deno.test(`new schedules-schema + writes what 'validate' accepts: ${kind}`, async () => {
    await using space = await workspace(configOf(kind));
    for (const name of ["schedules-schema", "idempotency-schema"]) {
      assertEquals((await space.run("new", name)).code, 0);
    }
    const { code, stdout, stderr } = await space.run("validate");
    assertEquals(code, 0, stdout + stderr);
  });
}
