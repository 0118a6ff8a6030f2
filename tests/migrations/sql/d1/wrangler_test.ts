/** The configuration of wrangler, as datasources `d1:` read it. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ConfigError } from "../../../../src/config/mod.ts";
import {
  databaseOf,
  type WranglerDatabase,
} from "../../../../src/migrations/sql/engines/d1/wrangler.ts";
import { loadRuntime } from "../../../../src/runtime/mod.ts";

const { files } = await loadRuntime();
const JSON_TEXT = JSON.stringify({ d1_databases: [{ binding: "DB", database_id: "json-id" }] });

/** Finds `database` in these files; paths begin with `.` for their folder. */
async function read(
  tree: Readonly<Record<string, string>>,
  database = "DB",
  variables: Readonly<Record<string, string>> = {},
): Promise<WranglerDatabase> {
  const root = await Deno.makeTempDir();
  try {
    for (const [name, text] of Object.entries(tree)) {
      const path = `${root}/${name}`;
      await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(path, text);
    }
    const datasource = { name: "main", database: `${root}/${database}` };
    const found = await databaseOf(datasource, { files, variable: (name) => variables[name] });
    return JSON.parse(JSON.stringify(found).replaceAll(root, "."));
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError(error.message.replaceAll(root, "."));
    throw error;
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const refused = async (...[tree, database, variables]: Parameters<typeof read>) =>
  (await assertRejects(() => read(tree, database, variables), ConfigError)).message;

Deno.test("databaseOf() reads JSON with comments, and TOML, to the same", async () => {
  const jsonc = `// a worker
{
  "account_id": "acc", /* of the team */
  "d1_databases": [
    { "binding": "DB", "database_name": "shop", "database_id": "id-1", "migrations_dir": "db/changes", },
  ],
}`;
  const toml = `account_id = "acc"
[[d1_databases]]
binding = "DB" # of the worker
database_name = "shop"
database_id = "id-1"
migrations_dir = "db/changes"
`;
  for (const [name, text] of Object.entries({ "wrangler.jsonc": jsonc, "wrangler.toml": toml })) {
    for (const wanted of ["DB", "shop"]) {
      assertEquals(await read({ [name]: text }, wanted), {
        ...{ file: `./${name}`, name: "shop", localId: "id-1", id: "id-1", account: "acc" },
        folder: "./db/changes",
        migrations: { dir: "db/changes", pattern: "db/changes/*.sql" },
      });
    }
  }
});

Deno.test("databaseOf() looks for each kind of file in the folder and above, as wrangler does", async () => {
  const other = JSON_TEXT.replace("json-id", "jsonc-id");
  const both = { "wrangler.json": JSON_TEXT, "apps/api/wrangler.jsonc": other };
  const found = await read(both, "apps/api/DB");
  assertEquals([found.file, found.id, found.folder], [
    "./wrangler.json",
    "json-id",
    "./migrations",
  ]);
  const below = { "apps/wrangler.jsonc": other, "wrangler.toml": "", "apps/api/src/index.ts": "" };
  const one = await read(below, "apps/api/src/DB");
  assertEquals([one.file, one.folder], ["./apps/wrangler.jsonc", "./apps/migrations"]);
  assertEquals((await read({ "wrangler.jsonc/x": "", "wrangler.json": JSON_TEXT })).id, "json-id");
});

Deno.test("databaseOf() refuses a folder that does not exist, and looks in none above it", async () => {
  const error = await assertRejects(() => read({ "wrangler.json": JSON_TEXT }, "apps/wroker/DB"));
  assertStringIncludes(String(error), "there is no folder");
});

Deno.test("databaseOf() takes what wrangler writes for Windows and with a dot", async () => {
  for (const written of ["./db", "db/", "db\\sql", "./db/./sql/"]) {
    const text = JSON.stringify({
      d1_databases: [{ binding: "DB", migrations_dir: written }],
    });
    const expected = written.includes("sql") ? "./db/sql" : "./db";
    assertEquals((await read({ "wrangler.json": text })).folder, expected, written);
  }
});

Deno.test("databaseOf() takes the first with that binding or name, and the local id of a preview", async () => {
  const entries = [
    { binding: "ONE", database_name: "DB", database_id: "1" },
    { binding: "DB", database_name: "two", database_id: "2", preview_database_id: "p" },
    { binding: "THREE" },
  ];
  const tree = { "wrangler.json": JSON.stringify({ d1_databases: entries }) };
  assertEquals((await read(tree)).id, "1");
  const two = await read(tree, "two");
  assertEquals([two.name, two.id, two.localId], ["two", "2", "p"]);
  const three = await read(tree, "THREE");
  assertEquals([three.name, three.id, three.localId], ["THREE", undefined, "THREE"]);
});

Deno.test("databaseOf() takes an environment as a whole, but the account from above it", async () => {
  const entry = { binding: "DB", migrations_dir: "top", database_id: "top" };
  const text = JSON.stringify({
    account_id: "acc",
    d1_databases: [entry],
    env: {
      staging: { d1_databases: [{ binding: "DB", database_id: "staged" }] },
      own: { account_id: "other", d1_databases: [{ binding: "DB" }] },
      empty: {},
    },
  });
  const tree = { "wrangler.json": text };
  const read_ = (name: string) => read(tree, "DB", { CLOUDFLARE_ENV: name });
  const staging = await read_("staging");
  assertEquals([staging.id, staging.account, staging.folder], ["staged", "acc", "./migrations"]);
  assertEquals((await read_("own")).account, "other");
  assertEquals((await read_("")).id, "top");
  for (const name of ["empty", "gone", "toString"]) {
    assertEquals(
      await refused(tree, "DB", { CLOUDFLARE_ENV: name }),
      "Cannot use the D1 database 'DB' of 'main': expected its binding or name in 'd1_databases' of " +
        `'./wrangler.json' under 'env.${name}' (CLOUDFLARE_ENV), found none`,
    );
  }
});

Deno.test("databaseOf() says where a file cannot be read", async () => {
  assertEquals(
    await refused({ "wrangler.jsonc": '{\n  "d1_databases": [\n    { "binding": }\n' }),
    "Cannot read './wrangler.jsonc': ValueExpected at line 3, column 18",
  );
  assertEquals(
    await refused({ "wrangler.json": "[1" }),
    "Cannot read './wrangler.json': CloseBracketExpected at line 1, column 3",
  );
  for (const text of ["", "null", '"x"', "[]"]) {
    assertEquals(
      (await refused({ "wrangler.json": text })).startsWith("Cannot read './wrangler.json': "),
      true,
      text,
    );
  }
  const toml = await refused({ "wrangler.toml": 'name = "a"\n[[d1_databases]]\nbinding = DB\n' });
  assertEquals(
    toml,
    "Cannot read './wrangler.toml': Invalid TOML document: invalid value at line 3, column 11",
  );
});

Deno.test("databaseOf() says what there is where the database is unknown", async () => {
  const start = "Cannot use the D1 database 'DB' of 'main': ";
  assertEquals(
    await refused({}),
    `${start}expected a file 'wrangler.jsonc' or 'wrangler.toml' in '.' or above`,
  );
  const entries = [{ binding: "ONE", database_name: "first" }, { binding: "TWO" }];
  assertEquals(
    await refused({ "wrangler.json": JSON.stringify({ d1_databases: entries }) }),
    `${start}expected its binding or name in 'd1_databases' of './wrangler.json', found 'ONE', 'TWO'`,
  );
});

Deno.test("databaseOf() refuses values of another kind with their place", async () => {
  for (
    const wrong of [
      { d1_databases: "DB" },
      { d1_databases: [null, "DB", 1] },
      { d1_databases: [{ binding: "DB", database_id: 5 }] },
      { d1_databases: [{ binding: "DB", migrations_dir: ["a"] }] },
      { account_id: {}, d1_databases: [{ binding: "DB" }] },
      { d1_databases: {} },
    ]
  ) {
    const text = JSON.stringify(wrong);
    assertEquals(
      (await refused({ "wrangler.json": text })).includes("./wrangler.json"),
      true,
      text,
    );
  }
});
