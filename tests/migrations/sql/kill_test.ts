import { assert, assertEquals } from "@std/assert";
import { InterruptedError } from "../../../src/migrations/runner/mod.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { depth } from "../../long/mod.ts";
import { killingProxy, type KillPoint } from "./killing_proxy.ts";
import * as mysql from "./mysql_support.ts";
import * as postgresql from "./postgresql_support.ts";
import * as sqlite from "./sqlite_support.ts";
import { spawnRun } from "./process_child.ts";
import { missing } from "./servers.ts";
import { migrate, resolve } from "./support.ts";

/** One file of each kind: a definition, changes, changes outside a transaction, both. */
const TREE = {
  "1.sql": "CREATE TABLE a (id INT);",
  "2.sql": "INSERT INTO a VALUES (1); INSERT INTO a VALUES (2);",
  "3.sql": "-- irori: no-transaction\nINSERT INTO a VALUES (3);",
  "4.sql": "CREATE TABLE b (id INT); INSERT INTO b VALUES (4);",
};
/** Every n-th statement is a case. */
const STEP = depth(6, 1);
const DONE = ["a 1", "a 2", "a 3", "b 4"];

type Query = (datasource: Datasource, sql: string) => Promise<Record<string, unknown>[]>;

interface Subject {
  readonly name: string;
  readonly skip: boolean;
  readonly query: Query;
  create(): Promise<Datasource>;
  cleanUp(): Promise<void>;
  /** Runs in a process that is killed there. @returns whether it came so far */
  run(datasource: Datasource, point: KillPoint): Promise<boolean>;
}

/** Behind a proxy that counts what the process sends to its server. */
async function runBehindProxy(datasource: Datasource, point: KillPoint): Promise<boolean> {
  await using proxy = killingProxy(datasource, point);
  const child = spawnRun({ ...datasource, host: "127.0.0.1", port: proxy.port }, TREE);
  proxy.watch(child);
  const { success, signal, stderr } = await child.output();
  assert(success || signal === "SIGKILL", new TextDecoder().decode(stderr));
  return !success;
}

/** SQLite has no wire: the process counts its calls and kills itself. */
async function runCounted(datasource: Datasource, { at, when }: KillPoint): Promise<boolean> {
  const child = spawnRun(datasource, TREE, { KILL_AT: `${at}`, KILL_WHEN: when });
  const { success, signal, stderr } = await child.output();
  assert(success || signal === "SIGKILL", new TextDecoder().decode(stderr));
  return !success;
}

const SUBJECTS: readonly Subject[] = [
  {
    name: "PostgreSQL",
    skip: missing("TEST_PG_URL") !== undefined,
    ...postgresql,
    run: runBehindProxy,
  },
  { name: "MySQL", skip: missing("TEST_MYSQL_URL") !== undefined, ...mysql, run: runBehindProxy },
  {
    name: "SQLite",
    skip: false,
    ...sqlite,
    run: runCounted,
  },
];

for (const { name, skip, query, create, cleanUp, run } of SUBJECTS) {
  const rows = async (datasource: Datasource) => {
    const found: string[] = [];
    for (const table of ["a", "b"]) {
      const select = `SELECT id FROM ${table} ORDER BY id`;
      const ids = await Promise.resolve().then(() => query(datasource, select)).catch(() => []);
      found.push(...ids.map(({ id }) => `${table} ${id}`));
    }
    return found;
  };

  /** Answers as a person would: looks at the database, repairs it, and resolves the file. */
  const settle = async (datasource: Datasource, path: string) => {
    const [there, wanted, tidy] = {
      "1.sql": [await exists(datasource, "a") ? ["a"] : [], ["a"], "SELECT 1"] as const,
      "2.sql": [await of(datasource, /a [12]/), ["a 1", "a 2"], "DELETE FROM a"] as const,
      "3.sql": [await of(datasource, /a 3/), ["a 3"], "SELECT 1"] as const,
      "4.sql": [await of(datasource, /b/), ["b 4"], "DROP TABLE IF EXISTS b"] as const,
    }[path]!;
    const applied = there.length === wanted.length;
    if (!applied) await query(datasource, tidy);
    await resolve(datasource, TREE, path, applied ? "applied" : "retry");
  };
  const of = async (datasource: Datasource, pattern: RegExp) =>
    (await rows(datasource)).filter((row) => pattern.test(row));
  const exists = (datasource: Datasource, table: string) =>
    Promise.resolve().then(() => query(datasource, `SELECT * FROM ${table}`))
      .then(() => true, () => false);

  for (const when of ["before", "after"] as const) {
    Deno.test({
      name: `${name}: a run that is killed ${when} each statement is no dead end`,
      ignore: skip,
      fn: async () => {
        let at = 1;
        for (let killed = true; killed; at += STEP) {
          const datasource = await create();
          killed = await run(datasource, { at, when });
          const point = `${when} ${at}`;
          let report = await migrate(datasource, TREE);
          for (let asked = 0; report.error instanceof InterruptedError && asked < 2; asked++) {
            const path = report.error.file;
            // Whole files are taken back; only these two are not.
            assert(name === "MySQL" || path === "3.sql", `${point}: asked about ${path}`);
            await settle(datasource, path);
            report = await migrate(datasource, TREE);
          }
          assertEquals([report.error, await rows(datasource)], [undefined, DONE], point);
          assertEquals((await migrate(datasource, TREE)).requests, 1, point);
          await cleanUp();
        }
        assert(at > 15, `Only ${at} statements were seen`);
      },
    });
  }
}
