import { assertEquals, assertNotEquals } from "@std/assert";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import * as mysql from "./mysql_support.ts";
import { NASTY } from "./nasty_files.ts";
import * as postgresql from "./postgresql_support.ts";
import * as sqlite from "./sqlite_support.ts";
import { missing } from "./servers.ts";
import { migrated } from "./support.ts";

/** A command line program of a database. */
interface Client {
  readonly name: keyof typeof NASTY;
  readonly skip: boolean;
  create(): Promise<Datasource>;
  cleanUp(): Promise<void>;
  apply(datasource: Datasource, text: string): Promise<void>;
  /** Everything in it but the history table. */
  dump(datasource: Datasource): Promise<string>;
}

async function program(
  command: string,
  args: readonly string[],
  input = "",
  env: Record<string, string> = {},
): Promise<string> {
  const child = new Deno.Command(command, {
    args: [...args],
    env,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { success, stdout, stderr } = await child.output();
  if (!success) throw new Error(`${command}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

const isThere = async (command: string) =>
  await program(command, ["--version"]).then(() => true, () => false);

const postgresqlArgs = (
  { host, port, username = "", database }: Datasource,
) => ["-h", host, "-p", `${port}`, "-U", username, "-d", database];
const postgresqlEnv = ({ password }: Datasource) => ({ PGPASSWORD: password?.reveal() ?? "" });
const mysqlArgs = ({ host, port, username = "", database }: Datasource) =>
  ["--no-defaults", "-h", host, "-P", `${port}`, "-u", username, "--default-character-set=utf8mb4"]
    .concat(database);
const mysqlEnv = ({ password }: Datasource) => ({ MYSQL_PWD: password?.reveal() ?? "" });

const CLIENTS: readonly Client[] = [
  {
    name: "postgresql",
    skip: missing("TEST_PG_URL") !== undefined || !await isThere("psql"),
    create: postgresql.create,
    cleanUp: postgresql.cleanUp,
    async apply(datasource, text) {
      const args = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-1", "-f", "-"];
      const all = [...postgresqlArgs(datasource), ...args];
      await program("psql", all, text, postgresqlEnv(datasource));
    },
    async dump(datasource) {
      const args = [...postgresqlArgs(datasource), "--inserts", "-T", "framework_migrations"];
      const text = await program("pg_dump", args, "", postgresqlEnv(datasource));
      return text.replaceAll(/^\\(un)?restrict .*$/gm, ""); // It has a random word.
    },
  },
  {
    name: "mysql",
    skip: missing("TEST_MYSQL_URL") !== undefined || !await isThere("mariadb"),
    create: mysql.create,
    cleanUp: mysql.cleanUp,
    async apply(datasource, text) {
      // It would leave comments out, which the server keeps in routines.
      const args = mysqlArgs(datasource).concat("--comments");
      await program("mariadb", args, text, mysqlEnv(datasource));
    },
    async dump(datasource) {
      const args = ["--skip-comments", "--skip-dump-date", "--routines", "--events", "--triggers"];
      const ignored = `--ignore-table=${datasource.database}.framework_migrations`;
      const own = mysqlArgs(datasource);
      const [first = "", ...rest] = own;
      return await program(
        "mariadb-dump",
        [first, ...args, ignored, ...rest],
        "",
        mysqlEnv(datasource),
      );
    },
  },
  {
    name: "sqlite",
    skip: !await isThere("sqlite3"),
    ...sqlite,
    async apply({ database }, text) {
      await program("sqlite3", ["-batch", "-bail", database], text);
    },
    async dump({ database }) {
      const text = await program("sqlite3", [database, ".dump"]);
      return text.replace(/^CREATE TABLE framework_migrations \([^;]*;$/m, "")
        .replaceAll(/^INSERT INTO framework_migrations .*$/gm, "").replaceAll(/\n+/g, "\n");
    },
  },
];

/** Shows only the lines that differ. */
function assertSame(actual: string, expected: string, message: string): void {
  const [left, right] = [actual.split("\n"), expected.split("\n")];
  const differing = left.flatMap((line, i) => line === right[i] ? [] : [[line, right[i]]]);
  assertEquals(differing.slice(0, 8), [], message);
  assertEquals(left.length, right.length, message);
}

for (const { name, skip, create, cleanUp, apply, dump } of CLIENTS) {
  Deno.test({
    name: `${name} nasty files leave what the database's own client leaves`,
    ignore: skip,
    async fn() {
      try {
        const ours = await create();
        const theirs = await create();
        const applied: Record<string, string> = {};
        for (const [path, text] of Object.entries(NASTY[name])) {
          const before = await dump(theirs);
          applied[path] = text;
          await migrated(ours, applied);
          await apply(theirs, text);
          const after = await dump(theirs);
          assertNotEquals(after, before, path);
          assertSame(await dump(ours), after, path);
        }
        // All at once, in one session after the other.
        const together = await create();
        await migrated(together, NASTY[name]);
        assertSame(await dump(together), await dump(theirs), "together");
      } finally {
        await cleanUp();
      }
    },
  });
}
