/** Commands on several connections, one of which cannot be reached. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { startClusterDouble } from "../servers/cluster_double.ts";
import { type Workspace, workspace } from "./command_line.ts";

const TEMPLATE = '{ "index_patterns": ["logs-*"] }';

async function clusters(live: string): Promise<Workspace> {
  return await workspace({
    "config/search-config.yml": `search:
  - { name: dead, hosts: ["http://127.0.0.1:${unusedPort()}"], migrations: { enabled: true } }
  - { name: live, hosts: ["${live}"], migrations: { enabled: true } }
`,
    "migrations/dead/logs-template.json": TEMPLATE,
    "migrations/live/logs-template.json": TEMPLATE,
  });
}

Deno.test("plan, migrate, status and drift + ask the other clusters, and end with 7", async () => {
  await using cluster = startClusterDouble();
  await using space = await clusters(cluster.url);
  const dead = /^error: dead: .*cannot be reached|^error: dead: .*connect/im;
  const seen = {
    plan: /^live: 1 to apply$/m,
    migrate: /^live: up to date, 1 applied/m,
    status: /^live: 1 applied$/m,
    drift: /^live: no drift$/m,
  };
  for (const [command, expected] of Object.entries(seen)) {
    const { code, stdout, stderr } = await space.run(command, "-m", "search");
    assertEquals([command, code], [command, 7]);
    assertMatch(stdout, expected);
    assertMatch(stderr, dead);
  }
});

Deno.test("plan and drift --json + list a connection that cannot be reached with its error", async () => {
  await using cluster = startClusterDouble();
  await using space = await clusters(cluster.url);
  for (const command of ["plan", "drift"]) {
    const { code, stdout } = await space.run(command, "-m", "search", "--json");
    const { connections } = JSON.parse(stdout);
    const names = connections.map((one: { connection: string; error?: string }) => [
      one.connection,
      one.error !== undefined,
    ]);
    assertEquals([code, names], [7, [["live", false], ["dead", true]]]);
  }
});

Deno.test("plan --format + reports a connection that cannot be reached at its declaration", async () => {
  await using cluster = startClusterDouble();
  await using space = await clusters(cluster.url);
  const { code, stdout } = await space.run("plan", "-m", "search", "--format", "github");
  assertEquals(code, 7);
  assertMatch(stdout, /^::error .*search-config\.yml,line=2.*title=connection-error::/m);
});

Deno.test("migrate + a failed file counts more than a database that cannot be reached, and stops the run", async () => {
  const enabled = "migrations: { enabled: true }";
  await using space = await workspace({
    "config/application.yml": `datasource:
  - { name: dead, url: "postgres://u:p@127.0.0.1:${unusedPort()}/db", ${enabled} }
  - { name: good, url: "sqlite:good.db", ${enabled} }
  - { name: bad, url: "sqlite:bad.db", ${enabled} }
  - { name: later, url: "sqlite:later.db", ${enabled} }
`,
    "migrations/dead/1.sql": "SELECT 1;",
    "migrations/good/1.sql": "CREATE TABLE a (b TEXT);",
    "migrations/bad/1.sql": "CREATE TABEL a (b TEXT);",
    "migrations/later/1.sql": "CREATE TABLE a (b TEXT);",
  });
  const { code, stdout, stderr } = await space.run("migrate");
  assertEquals(code, 8);
  assertMatch(stderr, /^error: dead: /m);
  assertMatch(stderr, /^error: bad\/1\.sql/m);
  assertMatch(stdout, /^good: up to date, 1 applied/m);
  assertEquals(stdout.includes("later: "), false);
  const drift = await space.run("drift", "--connection", "good");
  assertStringIncludes(drift.stdout, "good: no drift");
});

Deno.test("drift + compares the databases behind one that cannot be reached, and 7 counts more than a difference", async () => {
  const enabled = "migrations: { enabled: true }";
  await using space = await workspace({
    "config/application.yml": `datasource:
  - { name: dead, url: "postgres://u:p@127.0.0.1:${unusedPort()}/db", ${enabled} }
  - { name: good, url: "sqlite:good.db", ${enabled} }
`,
    "migrations/dead/1.sql": "SELECT 1;",
    "migrations/good/1.sql": "CREATE TABLE a (b TEXT);",
  });
  assertEquals((await space.run("migrate")).code, 7);
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(`${space.path}/good.db`);
  database.exec("DROP TABLE a");
  database.close();
  const { code, stdout, stderr } = await space.run("drift");
  assertStringIncludes(stdout, "good: the schema differs");
  assertMatch(stderr, /^error: dead: /m);
  assertEquals(code, 7);
});

function unusedPort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}
