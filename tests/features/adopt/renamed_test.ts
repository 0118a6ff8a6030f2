/** Files that were given leading zeros after their tool had applied them, as the advice of `adopt` is. */
import { assertEquals } from "@std/assert";
import { withRenamed } from "../../../src/features/adopt/adopt_rows.ts";
import { WRANGLER } from "../../../src/migrations/sql/engines/d1/history.ts";
import {
  DBMATE,
  KNEX,
  KYSELY,
  MIKRO_ORM,
  NODE_PG_MIGRATE,
  SQL_MIGRATE,
} from "../../../src/migrations/sql/foreign/named.ts";

const NAMED = (name: string, id = 1) => ({ id, name });

const TABLE = [
  {
    name: "wrangler: files that were renamed with zeros, in a folder too",
    tool: WRANGLER,
    rows: [NAMED("1_a.sql", 1), NAMED("2_b/c.sql", 2), NAMED("10_d.sql", 3)],
    paths: ["01_a.sql", "002_b/c.sql", "10_d.sql"],
    expected: ["1_a.sql = 01_a.sql", "2_b/c.sql = 002_b/c.sql", "10_d.sql = 10_d.sql"],
  },
  {
    name: "wrangler: a name that fits two files, and one that another row names",
    tool: WRANGLER,
    rows: [NAMED("1_a.sql", 1), NAMED("2_b.sql", 2), NAMED("02_b.sql", 3)],
    paths: ["001_a.sql", "01_a.sql", "02_b.sql"],
    expected: ["1_a.sql", "2_b.sql", "02_b.sql = 02_b.sql"],
  },
  ...[KNEX, NODE_PG_MIGRATE, MIKRO_ORM, KYSELY].map((tool) => ({
    name: `${tool.name}: a file that was renamed with zeros`,
    tool,
    rows: [NAMED("1_a", 1), NAMED("10_b", 2)],
    paths: ["0001_a.sql", "10_b.sql", "2_c.sql"],
    expected: ["1_a = 0001_a.sql", "10_b = 10_b.sql"],
  })),
  {
    name: "sql-migrate: a file that was renamed with zeros",
    tool: SQL_MIGRATE,
    rows: [{ id: "1_a.sql" }],
    paths: ["0001_a.sql"],
    expected: ["1_a.sql = 0001_a.sql"],
  },
  {
    name: "dbmate: a version that was given zeros",
    tool: DBMATE,
    rows: [{ version: "1" }, { version: "10" }],
    paths: ["01_a.sql", "10_b.sql"],
    expected: ["1 = 01_a.sql", "10 = 10_b.sql"],
  },
];

for (const { name, tool, rows, paths, expected } of TABLE) {
  Deno.test(`withRenamed() with ${name}`, () => {
    const found = withRenamed(tool.match!(rows, paths).rows, paths);
    const lines = found.map(({ name, path }) => path === undefined ? name : `${name} = ${path}`);
    assertEquals(lines, expected);
  });
}
