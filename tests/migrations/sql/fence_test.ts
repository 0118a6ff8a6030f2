/** Two runs of which one loses its lock in the middle: nothing is done twice, and nothing recorded that is not so. */
import { assert, assertEquals } from "@std/assert";
import {
  InterruptedError,
  LockedError,
  type RunReport,
} from "../../../src/migrations/runner/mod.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { depth, writeProof } from "../../long/mod.ts";
import * as mysql from "./mysql_support.ts";
import { pooled, poolerMissing } from "./pooler_support.ts";
import * as postgresql from "./postgresql_support.ts";
import { migrate, migrated, outcomes, resolve } from "./support.ts";

/** How often the lock is taken away. */
const ROUNDS = depth(3, 5, 50);
/** The measured results, a row for each database. */
const proof: string[] = [];
Deno.test.afterAll(() =>
  writeProof(
    "sql-lock",
    "# Two runs whose lock is taken away\n\nFour files a round, applied by two runs at once, of " +
      "which the one with the lock loses it by 'pg_terminate_backend' or 'KILL'; each file inserts a " +
      "row that tells its name.\n\n| database | rounds | locks ended | runs that stopped | rows | " +
      "done twice |\n|---|---|---|---|---|---|\n",
    proof,
  )
);

interface Subject {
  readonly name: string;
  readonly skip: boolean;
  readonly support: typeof mysql | typeof postgresql;
  /** As the runs reach it. */
  reach(datasource: Datasource): Datasource;
  /** Ends the session that has the lock. @returns rows where there was one */
  readonly kill: (datasource: Datasource) => Promise<number>;
  /** Takes a moment of the server. */
  readonly moment: string;
  /** Starts files of which one half runs outside of transactions. */
  readonly head: string;
}

const TERMINATE = "SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d " +
  "ON d.oid = l.database WHERE l.locktype = 'advisory' AND l.granted " +
  `AND d.datname = current_database() AND l.objid = ${0x726f7269}`;
const terminate = async (datasource: Datasource) =>
  (await postgresql.query(datasource, TERMINATE)).length;

const SUBJECTS: readonly Subject[] = [
  {
    name: "PostgreSQL",
    skip: postgresql.postgresqlMissing !== undefined,
    support: postgresql,
    reach: (datasource) => datasource,
    kill: terminate,
    moment: "SELECT pg_sleep(0.005);",
    head: "-- irori: no-transaction\n",
  },
  {
    name: "PostgreSQL behind PgBouncer",
    skip: poolerMissing !== undefined,
    support: postgresql,
    reach: pooled,
    kill: terminate,
    moment: "SELECT pg_sleep(0.005);",
    head: "",
  },
  {
    name: "MySQL",
    skip: mysql.mysqlMissing !== undefined,
    support: mysql,
    reach: (datasource) => datasource,
    async kill(datasource) {
      const [row] = await mysql.query(
        datasource,
        `SELECT IS_USED_LOCK('irori:${datasource.database}') AS id`,
      );
      if (row?.id == null) return 0;
      await mysql.query(datasource, `KILL ${row.id}`).catch(() => {}); // It may have ended.
      return 1;
    },
    moment: "SELECT sleep(0.005);",
    head: "",
  },
];

for (const { name, skip, support, reach, kill, moment, head } of SUBJECTS) {
  Deno.test({
    name: `${name}: two runs whose lock is taken away do nothing twice, ${ROUNDS} times`,
    ignore: skip,
    fn: async () => {
      try {
        const direct = await support.create();
        const datasource = reach(direct);
        await support.query(direct, "CREATE TABLE done (file VARCHAR(20))");
        const tree: Record<string, string> = {};
        let killed = 0;
        let stopped = 0;
        for (let round = 0; round < ROUNDS; round++) {
          for (let i = 0; i < 4; i++) {
            const file = `${String(round).padStart(2, "0")}-${i}`;
            tree[`${file}.sql`] = `${
              i % 2 ? head : ""
            }${moment}\nINSERT INTO done VALUES ('${file}');`;
          }
          const runs = ["a", "b"].map((owner) =>
            migrate(datasource, tree, { owner }, { yes: true })
          );
          let isOver = false;
          const all = Promise.all(runs).finally(() => isOver = true);
          // At another moment in each round.
          for (let looks = 0, found = 0; !isOver && found === 0; looks++) {
            if (looks >= round % 5) found = await kill(direct);
            killed += found;
          }
          for (const { error } of await all) {
            if (error === undefined) continue;
            stopped++;
            assert(error instanceof LockedError || error instanceof InterruptedError, `${error}`);
          }
          await settle(datasource, tree, (sql) => support.query(direct, sql));
        }
        const rows = await support.query(direct, "SELECT file FROM done ORDER BY file");
        assertEquals(rows.map(({ file }) => `${file}.sql`), Object.keys(tree).sort());
        assert(killed >= ROUNDS / 2, `only ${killed} of ${ROUNDS} locks were taken away`);
        assert(stopped > 0, "no run noticed");
        proof.push(`| ${name} | ${ROUNDS} | ${killed} | ${stopped} | ${rows.length} | 0 |`);
      } finally {
        await support.cleanUp();
      }
    },
  });
}

/** Says of each file that was cut off what is so, until all are applied. */
async function settle(
  datasource: Datasource,
  tree: Record<string, string>,
  query: (sql: string) => Promise<readonly unknown[]>,
): Promise<RunReport> {
  for (let asked = 0; asked < 3; asked++) {
    const { error } = await migrate(datasource, tree, {}, { yes: true });
    if (!(error instanceof InterruptedError)) break;
    const file = error.file.replace(".sql", "");
    const rows = await query(`SELECT 1 FROM done WHERE file = '${file}'`);
    await resolve(datasource, tree, error.file, rows.length > 0 ? "applied" : "retry");
  }
  const report = await migrated(datasource, tree);
  assertEquals(outcomes(report).filter((line) => !line.endsWith(" skipped")), []);
  return report;
}
