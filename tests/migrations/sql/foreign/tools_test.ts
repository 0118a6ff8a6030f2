import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { crc32 } from "node:zlib";
import { createHash } from "node:crypto";
import { DRIZZLE } from "../../../../src/migrations/sql/foreign/drizzle.ts";
import { FLYWAY } from "../../../../src/migrations/sql/foreign/flyway.ts";
import {
  DBMATE,
  GOLANG_MIGRATE,
  KNEX,
  KYSELY,
  MIKRO_ORM,
  NODE_PG_MIGRATE,
} from "../../../../src/migrations/sql/foreign/named.ts";
import { GOOSE, SQLX, SUPABASE } from "../../../../src/migrations/sql/foreign/versioned.ts";
import { PRISMA } from "../../../../src/migrations/sql/foreign/prisma.ts";
import type { TableRow, Tool } from "../../../../src/migrations/sql/foreign/tool.ts";

/** `name = path`, `name failed`, or the name alone. */
function matched(tool: Tool, rows: readonly TableRow[], paths: readonly string[]): string[] {
  return tool.match!(rows, paths).rows.map(({ name, path, failed }) =>
    failed !== undefined ? `${name} failed` : path === undefined ? name : `${name} = ${path}`
  );
}

/** A row of Flyway as PostgreSQL's driver gives it. */
function flyway(rank: number, version: string | null, script: string, more: TableRow = {}) {
  return {
    installed_rank: `${rank}`,
    version,
    description: script.replace(/^.*__|\.sql$/g, "").replaceAll("_", " "),
    type: "SQL",
    script,
    checksum: "1",
    installed_by: "app",
    installed_on: "2026-01-02 03:04:05",
    execution_time: "7",
    success: "t",
    ...more,
  };
}

const NAMED = (name: string, id = 1) => ({ id, name });

const TABLE: readonly {
  readonly name: string;
  readonly tool: Tool;
  readonly rows: readonly TableRow[];
  readonly paths: readonly string[];
  readonly expected: readonly string[];
}[] = [
  {
    name: "Flyway: rows in order of their rank, by script",
    tool: FLYWAY,
    rows: [flyway(2, "2", "V2__b.sql"), flyway(1, "1", "V1__a.sql")],
    paths: ["V1__a.sql", "V2__b.sql"],
    expected: ["V1__a.sql = V1__a.sql", "V2__b.sql = V2__b.sql"],
  },
  {
    name: "Flyway: a file in another folder, and one that was renamed with zeros",
    tool: FLYWAY,
    rows: [
      flyway(1, "1", "a/V1__a.sql"),
      flyway(2, "10", "V10__b.sql"),
      flyway(3, "1.1", "V1_1__c.sql"),
    ],
    paths: ["db/V1__a.sql", "V0010__better.sql", "V1.1.0__c.sql"],
    expected: [
      "a/V1__a.sql = db/V1__a.sql",
      "V10__b.sql = V0010__better.sql",
      "V1_1__c.sql = V1.1.0__c.sql",
    ],
  },
  {
    name: "Flyway: the last row of a repeatable migration counts",
    tool: FLYWAY,
    rows: [flyway(1, null, "R__v.sql"), flyway(2, null, "R__v.sql", { checksum: "2" })],
    paths: ["R__v.sql"],
    expected: ["R__v.sql = R__v.sql"],
  },
  {
    name: "Flyway: DELETE and UNDO take a version back, SCHEMA is none",
    tool: FLYWAY,
    rows: [
      flyway(0, null, '"app"', { type: "SCHEMA", checksum: null }),
      flyway(1, "1", "V1__a.sql"),
      flyway(2, "2", "V2__b.sql"),
      flyway(3, "2", "V2__b.sql", { type: "DELETE" }),
      flyway(4, "3", "V3__c.sql"),
      flyway(5, "3", "U3__c.sql", { type: "UNDO_SQL" }),
    ],
    paths: ["V1__a.sql", "V2__b.sql", "V3__c.sql"],
    expected: ["V1__a.sql = V1__a.sql"],
  },
  {
    name: "Flyway: a version that was undone and applied again counts",
    tool: FLYWAY,
    rows: [
      flyway(1, "1", "V1__a.sql"),
      flyway(2, "1", "U1__a.sql", { type: "UNDO_SQL" }),
      flyway(3, "1", "V1__a.sql"),
    ],
    paths: ["V1__a.sql"],
    expected: ["V1__a.sql = V1__a.sql"],
  },
  {
    name: "Flyway: BASELINE stands for all files up to its version",
    tool: FLYWAY,
    rows: [
      flyway(1, "2", "<< Flyway Baseline >>", { type: "BASELINE", checksum: null }),
      flyway(2, "3", "V3__c.sql"),
    ],
    paths: ["V1__a.sql", "V2__b.sql", "V3__c.sql", "V4__d.sql"],
    expected: [
      "V1__a.sql (baseline 2) = V1__a.sql",
      "V2__b.sql (baseline 2) = V2__b.sql",
      "V3__c.sql = V3__c.sql",
    ],
  },
  {
    name: "Flyway: SQL_BASELINE stands for all files up to its version, with its file or without",
    tool: FLYWAY,
    rows: [
      flyway(1, "5", "B5__all.sql", { type: "SQL_BASELINE" }),
      flyway(2, "6", "V6__b.sql"),
    ],
    paths: ["V1__a.sql", "V5__b.sql", "V6__b.sql", "V7__c.sql"],
    expected: [
      "V1__a.sql (baseline 5) = V1__a.sql",
      "V5__b.sql (baseline 5) = V5__b.sql",
      "B5__all.sql",
      "V6__b.sql = V6__b.sql",
    ],
  },
  {
    name: "Flyway: SQL_BASELINE and a version of the same number are two rows, and two files",
    tool: FLYWAY,
    rows: [flyway(1, "5", "B5__all.sql", { type: "SQL_BASELINE" }), flyway(2, "5", "V5__b.sql")],
    paths: ["B5__all.sql", "V5__b.sql"],
    expected: ["B5__all.sql = B5__all.sql", "V5__b.sql = V5__b.sql"],
  },
  {
    name: "Flyway: BASELINE stands for the file of its version and that for empty databases",
    tool: FLYWAY,
    rows: [flyway(1, "5", "<< Flyway Baseline >>", { type: "BASELINE", checksum: null })],
    paths: ["B5__all.sql", "V1__a.sql", "V5__b.sql", "V6__c.sql"],
    expected: [
      "B5__all.sql (baseline file; database is at version 5) = B5__all.sql",
      "V1__a.sql (baseline 5) = V1__a.sql",
      "V5__b.sql (baseline 5) = V5__b.sql",
    ],
  },
  {
    name: "Flyway: BASELINE before the first file has no row",
    tool: FLYWAY,
    rows: [flyway(1, "1", "<< Flyway Baseline >>", { type: "BASELINE", checksum: null })],
    paths: ["V2__b.sql"],
    expected: [],
  },
  {
    name: "Flyway: BASELINE does not say which files without versions are below it",
    tool: FLYWAY,
    rows: [flyway(1, "1", "<< Flyway Baseline >>", { type: "BASELINE", checksum: null })],
    paths: ["0001_a.sql"],
    expected: ["baseline 1"],
  },
  {
    name: "Flyway: a file for empty databases is none where its versions are applied",
    tool: FLYWAY,
    rows: [flyway(1, "1", "V1__a.sql"), flyway(2, "6", "V6__b.sql")],
    paths: ["B5__all.sql", "B7__all.sql", "V6__b.sql"],
    expected: [
      "B5__all.sql (baseline file; database is at version 6) = B5__all.sql",
      "B7__all.sql (baseline file; database is at version 6) = B7__all.sql",
      "V1__a.sql",
      "V6__b.sql = V6__b.sql",
    ],
  },
  {
    name: "Flyway: a failed row",
    tool: FLYWAY,
    rows: [flyway(1, "1", "V1__a.sql"), flyway(2, "2", "V2__b.sql", { success: 0 })],
    paths: ["V1__a.sql", "V2__b.sql"],
    expected: ["V1__a.sql = V1__a.sql", "V2__b.sql failed"],
  },
  {
    name: "dbmate: the digits that a name begins with",
    tool: DBMATE,
    rows: [{ version: "20240101" }, { version: "20240102" }, { version: "1" }],
    paths: ["20240101_a.sql", "x/20240102.sql", "20240103_c.sql"],
    expected: ["20240101 = 20240101_a.sql", "20240102 = x/20240102.sql", "1"],
  },
  {
    name: "golang-migrate: all files up to the one version, as numbers",
    tool: GOLANG_MIGRATE,
    rows: [{ version: "10", dirty: "f" }],
    paths: ["10_c.up.sql", "11_d.up.sql", "1_a.up.sql", "2_b.up.sql"],
    expected: ["1_a.up.sql = 1_a.up.sql", "2_b.up.sql = 2_b.up.sql", "10_c.up.sql = 10_c.up.sql"],
  },
  {
    name: "golang-migrate: a position without a file",
    tool: GOLANG_MIGRATE,
    rows: [{ version: 3, dirty: 0 }],
    paths: ["000001_a.up.sql"],
    expected: ["000001_a.up.sql = 000001_a.up.sql", "3"],
  },
  {
    name: "golang-migrate: it reads *.up.sql of one folder",
    tool: GOLANG_MIGRATE,
    rows: [{ version: 10, dirty: false }],
    paths: [
      "db/10_c.up.sql",
      "db/1_a.up.sql",
      "db/2_b.down.sql",
      "db/9_x.sql",
      "db/sub/5_a.up.sql",
    ],
    expected: ["db/1_a.up.sql = db/1_a.up.sql", "db/10_c.up.sql = db/10_c.up.sql"],
  },
  {
    name: "golang-migrate: dirty",
    tool: GOLANG_MIGRATE,
    rows: [{ version: 3, dirty: true }],
    paths: ["000001_a.up.sql", "000003_c.up.sql"],
    expected: ["000001_a.up.sql = 000001_a.up.sql", "000003_c.up.sql failed"],
  },
  {
    name: "node-pg-migrate: names without extension",
    tool: NODE_PG_MIGRATE,
    rows: [NAMED("2_b", 2), NAMED("1_a", 1)],
    paths: ["1_a.sql", "2_b.sql"],
    expected: ["1_a = 1_a.sql", "2_b = 2_b.sql"],
  },
  {
    name: "knex: a program and the SQL that took its place",
    tool: KNEX,
    rows: [NAMED("1_a.js"), NAMED("2_b.ts", 2)],
    paths: ["1_a.sql"],
    expected: ["1_a.js = 1_a.sql", "2_b.ts"],
  },
  {
    name: "Prisma: folders; rolled back rows do not count, unfinished ones failed",
    tool: PRISMA,
    rows: [
      {
        migration_name: "1_a",
        started_at: "2026-01-01",
        finished_at: null,
        rolled_back_at: "2026-01-01",
      },
      {
        migration_name: "1_a",
        started_at: "2026-01-02",
        finished_at: "2026-01-02",
        rolled_back_at: null,
      },
      { migration_name: "2_b", started_at: "2026-01-03", finished_at: null, rolled_back_at: null },
    ],
    paths: ["1_a/migration.sql", "2_b/migration.sql"],
    expected: ["1_a = 1_a/migration.sql", "2_b failed"],
  },
  {
    name: "goose: the newest row of a version decides, and 0 is none",
    tool: GOOSE,
    rows: [
      { id: 3, version_id: 2, is_applied: "f" },
      { id: 1, version_id: "0", is_applied: "t" },
      { id: 2, version_id: 2, is_applied: "t" },
      { id: 4, version_id: 10, is_applied: 1 },
    ],
    paths: ["00002_b.sql", "00010_c.sql"],
    expected: ["10 = 00010_c.sql"],
  },
  {
    name: "sqlx: versions as numbers, never a down migration; a row that failed",
    tool: SQLX,
    rows: [
      { version: "2", description: "b", success: "t", checksum: "\\x00" },
      { version: 10, description: "c", success: 0, checksum: new Uint8Array(1) },
    ],
    paths: ["0002_b.down.sql", "0002_b.up.sql", "10_c.sql"],
    expected: ["2 b = 0002_b.up.sql", "10 c failed"],
  },
  {
    name: "Supabase: versions",
    tool: SUPABASE,
    rows: [{ version: "20240102", name: "b" }, { version: "20240101", name: "a" }],
    paths: ["20240101_a.sql", "20240102_renamed.sql"],
    expected: ["20240101 = 20240101_a.sql", "20240102 = 20240102_renamed.sql"],
  },
  {
    name: "Kysely: names without extension",
    tool: KYSELY,
    rows: [{ name: "2024_a", timestamp: "2026-01-01T00:00:00.000Z" }],
    paths: ["2024_a.sql"],
    expected: ["2024_a = 2024_a.sql"],
  },
  {
    name: "MikroORM: names with the extension or without",
    tool: MIKRO_ORM,
    rows: [NAMED("Migration1", 1), NAMED("Migration2.sql", 2), NAMED("Migration3.js", 3)],
    paths: ["Migration1.sql", "Migration2.sql", "Migration3.sql"],
    expected: [
      "Migration1 = Migration1.sql",
      "Migration2.sql = Migration2.sql",
      "Migration3.js = Migration3.sql",
    ],
  },
];

for (const { name, tool, rows, paths, expected } of TABLE) {
  Deno.test(`match, ${name}`, () => assertEquals(matched(tool, rows, paths), expected));
}

/** The checksum that a tool records for a content, of the first row. */
async function checksums(tool: Tool, row: TableRow, path: string, content: string) {
  const [found] = tool.match!([row], [path]).rows;
  return await found!.checksum!.of(new TextEncoder().encode(content));
}

Deno.test("Flyway's checksum is the CRC-32 of its lines one after the other, signed", async () => {
  await fc.assert(fc.asyncProperty(
    fc.array(fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\r\n]/g, "")), {
      minLength: 1,
    }),
    fc.constantFrom("\n", "\r\n"),
    fc.constantFrom("", "\ufeff"),
    async (lines, end, mark) => {
      const expected = lines.reduce((value, line) => crc32(line, value), 0) | 0;
      const content = mark + lines.map((line) => line + end).join("");
      fc.pre(!lines[0]!.startsWith("\ufeff"));
      const [found] = await checksums(FLYWAY, flyway(1, "1", "V1__a.sql"), "V1__a.sql", content);
      assertEquals(found, `${expected}`);
    },
  ));
});

Deno.test("directives of ours do not change what Flyway and Prisma recorded of a file", async () => {
  const content = "CREATE VIEW v AS SELECT 1;\n";
  const given = `-- irori: repeatable\n${content}`;
  for (
    const [tool, row, path] of [
      [FLYWAY, flyway(1, "1", "V1__a.sql"), "V1__a.sql"],
      [PRISMA, {
        migration_name: "1",
        checksum: "x",
        finished_at: "2026-01-01",
        rolled_back_at: null,
      }, "1/migration.sql"],
    ] as const
  ) {
    const [before] = await checksums(tool, row, path, content);
    assertEquals((await checksums(tool, row, path, given)).includes(before!), true, tool.name);
    assertEquals(
      (await checksums(tool, row, path, `${given}--`)).includes(before!),
      false,
      tool.name,
    );
  }
});

Deno.test("Prisma's checksum is SHA-256 with either line end, also without padding", async () => {
  const row = {
    migration_name: "1",
    checksum: "x",
    finished_at: "2026-01-01",
    rolled_back_at: null,
  };
  const hash = (text: string) => createHash("sha256").update(text).digest();
  await fc.assert(fc.asyncProperty(fc.array(fc.string()), async (parts) => {
    const content = parts.join("\n").replaceAll("\r", "");
    const found = await checksums(PRISMA, row, "1/migration.sql", content);
    for (const form of [content, content.replaceAll("\n", "\r\n")]) {
      const unpadded = [...hash(form)].map((byte) => byte.toString(16)).join("");
      assertEquals(
        [hash(form).toString("hex"), unpadded].every((text) => found.includes(text)),
        true,
      );
    }
  }));
});

const BY = "meta/_journal.json";
const DRIZZLE_FILES = [
  { path: "0000_a.sql", hash: "a", listed: { by: BY, place: 0, time: "100" } },
  { path: "0001_b.sql", hash: "b", listed: { by: BY, place: 1, time: "90" } },
  { path: "0002_c.sql", hash: "c", listed: { by: BY, place: 2, time: "110" } },
  { path: "0003_d.sql", hash: "d", listed: { by: BY, place: 3, time: "120" } },
];

Deno.test("match, Drizzle: by time, then by hash; what it has omitted", () => {
  const match = (rows: readonly TableRow[], files: typeof DRIZZLE_FILES) => {
    const { rows: found, omitted } = DRIZZLE.match!(rows, files.map(({ path }) => path), files);
    return [found.map(({ name, path }) => path ?? `${name}?`), omitted];
  };
  const row = (id: number, hash: string, time: number, more: TableRow = {}): TableRow => {
    return { id, hash, created_at: time, ...more };
  };
  assertEquals(match([row(2, "c", 110), row(1, "a", 100)], DRIZZLE_FILES), [
    ["0000_a.sql", "0002_c.sql"],
    ["0001_b.sql"],
  ]);
  assertEquals(match([row(1, "a", 100), row(2, "b", 95)], DRIZZLE_FILES), [
    ["0000_a.sql", "0001_b.sql"],
    [],
  ], "a time that was edited");
  assertEquals(match([row(1, "x", 100), row(2, "a", 100), row(3, "y", 5)], DRIZZLE_FILES), [
    ["0000_a.sql", "5 y?"],
    ["0001_b.sql"],
  ], "two rows of one time, and one of no file");
  const folders = [
    { path: "m/20240101000000_a/migration.sql", hash: "a" },
    { path: "m/20240101000000_b/migration.sql", hash: "b" },
    { path: "m/20240101000002_c/migration.sql", hash: "c" },
  ] as unknown as typeof DRIZZLE_FILES;
  const time = Date.UTC(2024, 0, 1);
  assertEquals(match([row(1, "b", time + 17), row(2, "x", time + 2999)], folders), [
    ["m/20240101000000_b/migration.sql", "m/20240101000002_c/migration.sql"],
    [],
  ]);
  assertEquals(match([row(1, "z", 1, { name: "20240101000002_c" })], folders), [
    ["m/20240101000002_c/migration.sql"],
    [],
  ]);
});

Deno.test("Supabase's statements are compared without white space and semicolons at their ends", async () => {
  const content = "CREATE TABLE \"a\" (n int);\n\nINSERT INTO a VALUES ('x\\y');\n-- end\n";
  const array = '{"CREATE TABLE \\"a\\" (n int)","INSERT INTO a VALUES (\'x\\\\y\')","-- end"}';
  for (
    const statements of [array, [
      'CREATE TABLE "a" (n int)',
      "INSERT INTO a VALUES ('x\\y')",
      "-- end",
    ]]
  ) {
    const [row] = SUPABASE.match!([{ version: "1", statements }], ["1_a.sql"]).rows;
    const of = (text: string) => row!.checksum!.of(new TextEncoder().encode(text));
    const { recorded } = row!.checksum!;
    assertEquals((await of(content)).includes(recorded), true);
    assertEquals((await of(content.replace("n int", "m int"))).includes(recorded), false);
  }
  assertEquals(
    SUPABASE.match!([{ version: "1", statements: null }], []).rows[0]!.checksum,
    undefined,
  );
});

Deno.test("sqlx's checksum is SHA-384 of the file, with either line end", async () => {
  const content = "SELECT 1;\r\nSELECT 2;\r\n";
  const row = { version: 1, success: true, checksum: "x", installed_on: "2026-01-01" };
  const found = await checksums(SQLX, row, "1_a.sql", content);
  for (const form of [content, content.replaceAll("\r\n", "\n")]) {
    assertEquals(found.includes(createHash("sha384").update(form).digest("hex")), true);
  }
});
