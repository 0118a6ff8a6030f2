/** `irori new jobs-schema` and `irori jobs`. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { getRollbackPlans } from "pg-boss";
import { jobsSchema, transactionIn } from "../../../src/features/jobs/tables.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";
import { type Workspace, workspace } from "../../e2e/command_line.ts";

const ignore = postgresql.postgresqlMissing !== undefined;

function configFor(url: string): string {
  return `datasource:
  - name: main
    url: ${url}
    migrations: { enabled: true, lint: error }
`;
}

async function postgresqlSpace(): Promise<Workspace & { query(sql: string): Promise<unknown> }> {
  const datasource = await postgresql.create();
  const url = new URL(Deno.env.get("TEST_PG_URL")!);
  url.pathname = datasource.database;
  const space = await workspace({ "config/application.yml": configFor(url.href) });
  return { ...space, query: (sql) => postgresql.query(datasource, sql) };
}

Deno.test.afterAll(() => postgresql.cleanUp());

const IDS = ["1", "2", "3"].map((end) => `00000000-0000-4000-8000-00000000000${end}`);

Deno.test({
  name:
    "new jobs-schema + is applied once, and no part of the schema, drift and types (PostgreSQL)",
  ignore,
  async fn() {
    await using space = await postgresqlSpace();
    await space.write("migrations/main/20260101-000000_a.sql", "CREATE TABLE a (id INTEGER);\n");
    const { code, stdout } = await space.run("new", "jobs-schema");
    assertEquals(code, 0);
    assertStringIncludes(stdout, "_jobs-schema.sql");
    const validated = await space.run("validate");
    assertEquals(validated.code, 0, validated.stdout + validated.stderr);
    const migrated = await space.run("migrate");
    assertEquals(migrated.code, 0, migrated.stdout + migrated.stderr);
    assertEquals((await space.run("schema")).stdout.includes("irori_jobs"), false);
    const drift = await space.run("drift");
    assertEquals([drift.code, drift.stderr], [0, ""], drift.stdout);
    const { stdout: types } = await space.run("types", "--live");
    assertEquals(/jobs/i.test(types), false, types);
    const again = await space.run("new", "jobs-schema");
    assertEquals(again.code, 2);
    assertMatch(
      again.stderr,
      /Nothing to write: a migration has the schema of jobs in version \d+/,
    );
  },
});

Deno.test({
  name:
    "new jobs-schema + writes what has changed since the version that a migration has (PostgreSQL)",
  ignore,
  async fn() {
    await using space = await postgresqlSpace();
    const created = (await jobsSchema())!.replace(/version \d+/, "version 45");
    const rollback = transactionIn(getRollbackPlans("irori_jobs", 46));
    const allowed = ["drop-column", "locks-add-up", "update-without-where"]
      .map((rule) => `-- irori: allow ${rule}: the tables are new\n`).join("");
    const text = `${allowed}${created}${rollback}`;
    await space.write("migrations/main/20260101-000000_jobs-schema.sql", text);
    const before = await space.run("migrate");
    assertEquals(before.code, 0, before.stdout + before.stderr);
    assertEquals((await space.run("new", "jobs-schema")).code, 0);
    const migrated = await space.run("migrate");
    assertEquals(migrated.code, 0, migrated.stdout + migrated.stderr);
    const sql =
      "SELECT version, to_regclass('irori_jobs.job_common_i17') AS found FROM irori_jobs.version";
    assertEquals(await space.query(sql), [{ version: 46, found: "irori_jobs.job_common_i17" }]);
    assertEquals((await space.run("drift")).code, 0);
  },
});

for (
  const [url, name] of [["sqlite:app.db", "SQLite"], [
    "mysql://127.0.0.1:1/app",
    "MySQL or MariaDB",
  ]]
) {
  Deno.test(`new jobs-schema + is refused with one sentence: ${name}`, async () => {
    await using space = await workspace({ "config/application.yml": configFor(url!) });
    const { code, stderr } = await space.run("new", "jobs-schema");
    const message = `Cannot write 'jobs-schema' for 'main': jobs need PostgreSQL, found ${name}`;
    assertEquals([code, stderr], [2, `error: ${message}\n`]);
  });
}

Deno.test({
  name:
    "jobs + lists, retries and cancels by id and by name, and says what it would do (PostgreSQL)",
  ignore,
  async fn() {
    await using space = await postgresqlSpace();
    const missing = await space.run("jobs", "list");
    assertEquals(missing.code, 2);
    assertStringIncludes(missing.stderr, "'irori new jobs-schema'");
    await space.run("new", "jobs-schema");
    await space.run("migrate");
    await space.query(`
      SELECT irori_jobs.create_queue(name, '{"policy": "short"}') FROM (VALUES ('mail'), ('hook')) v (name);
      INSERT INTO irori_jobs.job (id, name, state, policy, singleton_key, retry_count, retry_limit, started_on, completed_on, created_on, output)
      VALUES
        ('${
      IDS[0]
    }', 'mail', 'failed', 'short', 'a', 2, 2, now(), now(), '2026-01-01T00:00Z', '{"error": "Error: no"}'),
        ('${IDS[1]}', 'mail', 'created', 'short', 'b', 0, 2, NULL, NULL, '2026-01-02T00:00Z', NULL),
        ('${
      IDS[2]
    }', 'hook', 'completed', 'short', 'c', 0, 2, now(), now(), '2026-01-03T00:00Z', NULL)`);
    const list = async (...args: string[]) => {
      const { code, stdout, stderr } = await space.run("jobs", ...args, "--json");
      assertEquals(code, 0, stderr);
      return JSON.parse(stdout).jobs;
    };
    const failed = {
      id: IDS[0],
      job: "mail",
      state: "failed",
      attempts: 3,
      enqueuedAt: "2026-01-01T00:00:00Z",
      error: "Error: no",
    };
    const waiting = {
      ...failed,
      id: IDS[1],
      state: "waiting",
      attempts: 0,
      enqueuedAt: "2026-01-02T00:00:00Z",
    };
    const { error: _, ...rest } = waiting;
    assertEquals(await list("list"), [rest, failed]);
    assertEquals((await list("list", "--state", "completed")).map(({ id }: { id: string }) => id), [
      IDS[2],
    ]);
    assertEquals(await list("list", "--job", "hook"), []);
    assertEquals((await list("list", "--limit", "1")).length, 1);
    const { stdout } = await space.run("jobs", "list", "--state", "failed");
    assertEquals(
      stdout,
      `${IDS[0]}  failed     mail  (2026-01-01T00:00:00Z; 3 attempts)\n    Error: no\n1 job\n`,
    );
    const dry = await space.run("jobs", "retry", "--job", "mail", "--dry-run");
    assertMatch(dry.stdout, /1 job found, nothing is changed\n$/);
    assertEquals((await list("list", "--state", "failed")).length, 1);
    const retried = await space.run("jobs", "retry", IDS[0]!);
    assertMatch(retried.stdout, /1 job to run again\n$/);
    assertEquals((await list("list", "--state", "retrying")).map(({ id }: { id: string }) => id), [
      IDS[0],
    ]);
    assertEquals((await list("cancel", "--job", "mail")).length, 2);
    assertEquals((await list("list")).length, 0);
    for (const [name, hint] of [["mial", ": did you mean 'mail'?"], ["report", ""]]) {
      const unknown = await space.run("jobs", "retry", "--job", name!);
      assertEquals([unknown.code, unknown.stderr], [2, `error: Unknown job '${name}'${hint}\n`]);
    }
    const nothing = await space.run("jobs", "retry", IDS[2]!);
    assertEquals([nothing.code, nothing.stderr], [
      2,
      `error: No job that is failed has the id '${IDS[2]}': nothing is changed\n`,
    ]);
  },
});

Deno.test("jobs + refuses invalid arguments", async () => {
  await using space = await workspace({ "config/application.yml": configFor("sqlite:app.db") });
  for (
    const [args, message] of [
      [["run"], "Expected 'list', 'retry' or 'cancel' of 'jobs', found 'run'"],
      [["retry"], "Expected ids of jobs, or '--job <name>' for all of a name"],
      [["retry", "x"], "Expected the id of a job, found 'x'"],
      [["cancel", "--job", "a'b"], "Expected the name of a job of letters"],
      [["retry", "--job", "a", "--limit", "1"], "'--limit' belongs to 'jobs list'"],
      [["list", "--dry-run"], "'--dry-run' belongs to 'jobs retry' and 'jobs cancel'"],
      [["list", "--limit", "0"], "Expected a number from 1 to 999999"],
      [["list"], "Jobs need PostgreSQL: this connection has none"],
    ] as const
  ) {
    const { code, stderr } = await space.run("jobs", ...args);
    assertEquals(code, 2, stderr);
    assertStringIncludes(stderr, message);
  }
});
