import { assertEquals } from "@std/assert";
import {
  lineSettings,
  objectSetting,
  prismaSetting,
  properties,
} from "../../../src/features/init/settings.ts";

const url = (value: string) =>
  objectSetting(`export default f({ a: 1, db: { url: ${value} } });`, "db", "url");

Deno.test("objectSetting + reads texts and variables", () => {
  for (const text of ['"file:a.db"', "'file:a.db'", "`file:a.db`"]) {
    assertEquals(url(text), { text: "file:a.db" });
  }
  for (
    const variable of [
      ...["process.env.DB", "process.env.DB!", 'process.env["DB"]', "process.env.DB as string"],
      ...['process.env.DB ?? ""', "process.env.DB || 'x'", "import.meta.env.DB", "Bun.env.DB"],
      ...['Deno.env.get("DB")', "Deno.env.get('DB')!", 'env("DB")', "env.DB"],
    ]
  ) assertEquals(url(variable), { variable: "DB" }, variable);
});

Deno.test("objectSetting + does not guess what is an expression, stands twice or may come from elsewhere", () => {
  const unread = { unread: "db.url" };
  for (
    const value of [
      ...["read()", "a + b", '"a" + "b"', "`a${b}`", "a ? 'b' : 'c'", "urls[0]", '"\\x61"'],
      ...[
        "process.env",
        "process.env[name]",
        "process.env.A + process.env.B",
        "`${process.env.A}`",
      ],
    ]
  ) assertEquals(url(value), unread, value);
  assertEquals(objectSetting("f({ out: 'a' }, { out: 'b' })", "out"), { unread: "out" });
  assertEquals(objectSetting("const out = 'a'; f({ out })", "out"), { unread: "out" });
  assertEquals(objectSetting("f({ ...base, a: 1 })", "out"), { unread: "out" });
  assertEquals(objectSetting("f({ a: [...base] })", "out"), undefined);
});

Deno.test("objectSetting + sees no comments and texts, and reads JSON", () => {
  const source = `
    // out: "a"
    /* out: "b" */
    const s = "out: 'c', {out: 'd'}"; const t = { about: "out", x: o ? out : 1 };
    export default { "out": './real', /* , out: "e" */ schema: "{ out: 1" };
  `;
  assertEquals(objectSetting(source, "out"), { text: "./real" });
  assertEquals(objectSetting('{ "out": "a", "db": { "url": "b" } }', "db", "url"), { text: "b" });
  assertEquals(objectSetting("", "out"), undefined);
  assertEquals(objectSetting("{ out: 'unterminated", "out"), { unread: "out" });
});

Deno.test("objectSetting + reads the keys of the outermost object alone", () => {
  const out = (source: string) => objectSetting(source, "out");
  for (
    const source of [
      'f({ introspect: { out: "build" } })',
      'f({ list: [{ out: "build" }] })',
      'f({ list: ["a", out, "b"], call: g("a", "out", "b") })',
      "f({ a: (b, out) => 1 })",
    ]
  ) assertEquals(out(source), undefined, source);
  for (
    const source of [
      'f({ introspect: { out: "build" }, out: "real" })',
      'f({ schemaFilter: ["a", "out", "b"], out: "real" })',
      'f({ ...base, out: "real" })',
      'export default { a: { ...base }, out: "real" } satisfies Config;',
      'export default <Config>{ out: "real" };',
    ]
  ) assertEquals(out(source), { text: "real" }, source);
  // The last spread wins, and the result of a function is not known.
  assertEquals(out('f({ out: "a", ...base })'), { unread: "out" });
  assertEquals(out('f(() => { const a = 1; return { out: "b" }; })'), { unread: "out" });
});

Deno.test("prismaSetting + reads the block of the datasource alone", () => {
  const schema = `
    generator client { provider = "prisma-client-js"
      url = "no" }
    datasource db {
      // url = "no"
      provider = "postgresql"
      url      = env("DATABASE_URL") // the pooler
      directUrl = "postgres://a"
      shadowDatabaseUrl = f()
    }
    model A { url String }
  `;
  assertEquals(prismaSetting(schema, "url"), { variable: "DATABASE_URL" });
  assertEquals(prismaSetting(schema, "directUrl"), { text: "postgres://a" });
  assertEquals(prismaSetting(schema, "shadowDatabaseUrl"), { unread: "shadowDatabaseUrl" });
  assertEquals(prismaSetting(schema, "relationMode"), undefined);
});

Deno.test("lineSettings + reads lines of '.env' and of flyway.conf", () => {
  const source = `# A=no
A=1 # one
export B = "two # 2"
  C='three'
flyway.url=jdbc:postgresql://h/db?x=#y
EMPTY=
no line`;
  assertEquals(lineSettings(source), {
    A: "1",
    B: "two # 2",
    C: "three",
    "flyway.url": "jdbc:postgresql://h/db?x=#y",
    EMPTY: "",
  });
});

Deno.test("properties + reads '#' and quotes in a value as they are", () => {
  const source = `# flyway.url=no
! flyway.url=no
flyway.password=#secret
flyway.user = "a" # b\r
  flyway.url: C:\\db\\x=y
flyway.empty=
no line`;
  assertEquals(properties(source), {
    "flyway.password": "#secret",
    "flyway.user": '"a" # b',
    "flyway.url": "C:\\db\\x=y",
    "flyway.empty": "",
  });
});
