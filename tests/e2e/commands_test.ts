import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { startClusterDouble } from "../servers/cluster_double.ts";
import { type Workspace, workspace } from "./command_line.ts";

const SQL =
  "datasource:\n  - name: main\n    url: sqlite:./app.db\n    migrations: { enabled: true }\n";

function search(url: string): string {
  return `search:\n  - name: logs\n    hosts: ['${url}']\n    migrations: { enabled: true }\n`;
}

const template = (shards: number) =>
  JSON.stringify({ index_patterns: ["x-*"], template: { settings: { number_of_shards: shards } } });

async function sqlSpace(): Promise<Workspace> {
  return await workspace({
    "config/application.yml": SQL,
    "migrations/main/001.sql": "CREATE TABLE t (n INTEGER);",
    "migrations/main/002.sql": "INSERT INTO t VALUES (1);",
  });
}

Deno.test("cli status tells where each file stands, and --check exits with 4 until all are applied", async () => {
  await using space = await sqlSpace();
  const fresh = await space.run("status", "--check");
  assertEquals(fresh.code, 4);
  assertMatch(fresh.stdout, /main: 2 pending\n {2}pending {6}001\.sql\n/);

  await space.run();
  const done = await space.run("status", "--check");
  assertEquals(done.code, 0);
  assertMatch(done.stdout, /main: 2 applied\n {2}applied {6}001\.sql {2}\(20\d\d-.*Z by /);

  await space.write("migrations/main/002.sql", "SELECT 1;");
  await space.remove("migrations/main/001.sql");
  const changed = await space.run("status", "--check", "--json");
  assertEquals(changed.code, 4);
  const { connections: [{ files }] } = JSON.parse(changed.stdout);
  assertEquals(files.map(({ file, state }: Record<string, string>) => [file, state]), [
    ["001.sql", "missing"],
    ["002.sql", "changed"],
  ]);
});

Deno.test("cli plan beside an active run says so, and reports no interrupted one", async () => {
  const { promise: gate, resolve: go } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  await using double = startClusterDouble({
    intercept: (line) => {
      if (line !== "POST /orders/_doc") return;
      begin();
      return gate.then(() => Response.json({ result: "created" }, { status: 201 }));
    },
  });
  await using space = await workspace({
    "config/application.yml": search(double.url),
    "migrations/logs/1.json": '{"method":"POST","path":"/orders/_doc","body":{}}',
  });
  const running = space.run("-m", "search");
  await begun;
  const { code, stdout } = await space.run("plan", "-m", "search");
  go();
  assertEquals(code, 0);
  assertMatch(stdout, /^logs: 1 to apply\n {2}notice: Another run is at work \(\S+\): /);
  assertEquals((await running).code, 0);
});

Deno.test("cli status of a cluster finds files that were deleted", async () => {
  await using double = startClusterDouble();
  await using space = await workspace({
    "config/application.yml": search(double.url),
    "migrations/logs/a-template.json": template(1),
  });
  await space.run("-m", "search");
  await space.write("migrations/logs/b-template.json", '{"template":{},"priority":1}');
  const { code, stdout } = await space.run("status", "-m", "search");
  assertEquals(code, 0);
  assertMatch(
    stdout,
    /logs: 1 applied, 1 pending\n {2}applied {6}a-template\.json .*\n {2}pending/,
  );
});

Deno.test("cli plan prints the statements of SQL files and writes nothing", async () => {
  await using space = await sqlSpace();
  const { code, stdout } = await space.run("plan");
  assertEquals(code, 0);
  assertMatch(stdout, /main: 2 to apply\n {2}001\.sql .*\n {4}CREATE TABLE t \(n INTEGER\)\n/);
  assertEquals((await space.run("status", "--check")).code, 4);
});

Deno.test("cli plan prints requests and what differs on the cluster", async () => {
  await using double = startClusterDouble();
  await using space = await workspace({
    "config/application.yml": search(double.url),
    "migrations/logs/x-template.json": template(1),
  });
  await space.run("-m", "search");
  await space.write("migrations/logs/x-template.json", template(2));
  const { code, stdout } = await space.run("plan", "-m", "search");
  assertEquals(code, 0);
  assertMatch(stdout, /PUT \/_index_template\/x/);
  assertMatch(stdout, /@ .*number_of_shards\n {4}- "?1"?\n {4}\+ "?2"?/);
});

Deno.test("cli drift exits with 5 when a live resource is not as it was applied", async () => {
  await using double = startClusterDouble();
  await using space = await workspace({
    "config/application.yml": search(double.url),
    "migrations/logs/x-template.json": template(1),
  });
  await space.run("-m", "search");
  const same = await space.run("drift", "-m", "search");
  assertEquals([same.code, same.stdout], [0, "logs: no drift\n"]);

  await fetch(`${double.url}/_index_template/x`, { method: "PUT", body: template(3) });
  const other = await space.run("drift", "-m", "search");
  assertEquals(other.code, 5);
  assertMatch(other.stdout, /1 differ\n.*x-template\.json[^]*- "?3"?\n {4}\+ "?1"?/);
  assertEquals((await space.run("drift", "-m", "search", "--url", "sqlite:./a.db")).code, 2);
});

Deno.test("cli validate warns of what does not fit the schema of a file", async () => {
  await using space = await workspace({
    "config/application.yml": `search:
  - name: logs
    hosts: [http://127.0.0.1:1]
    migrations:
      enabled: true
      placeholders: { patterns: ["logs-*"], token: s3cr3t-t0k3n }
`,
    "migrations/logs/logs-template.json":
      '{\n  "index_pattern": "${patterns}",\n  "template": { "settings": { "number_of_replicas": "${token}" } }\n}\n',
  });
  const { code, stdout, stderr } = await space.run("validate", "-m", "search");
  assertEquals([code, stdout], [0, "logs: 1 file, 2 problems\n"]);
  assertEquals(
    stderr,
    `warning: logs/logs-template.json:2:3: Unknown key 'index_pattern': did you mean 'index_patterns'?
  2 |   "index_pattern": "\${patterns}",
    |   ^
warning: logs/logs-template.json:3:53: Expected a whole number from 0, found '\${token}'
  3 |   "template": { "settings": { "number_of_replicas": "\${token}" } }
    |                                                     ^
`,
  );
  const { connections } = JSON.parse(
    (await space.run("validate", "-m", "search", "--json")).stdout,
  );
  const [problem] = connections[0].problems;
  assertEquals([problem.severity, problem.line, problem.column], ["warning", 2, 3]);
});

Deno.test("cli validate names every problem without a request", async () => {
  await using space = await workspace({
    // Nothing listens there.
    "config/application.yml": search("http://127.0.0.1:1"),
    "migrations/logs/a.json": '{\n  "settings": }',
    "migrations/logs/b.json": '{"unknown":1}',
    "migrations/logs/c-template.json": '{"template":{}}',
  });
  const { code, stdout, stderr } = await space.run("validate", "-m", "search");
  assertEquals(code, 3);
  assertStringIncludes(stdout, "logs: 3 files, 2 problems");
  assertMatch(
    stderr,
    /error: logs\/a\.json:2:15: Value expected\n {2}2 \| {3}"settings": \}\n.*\^/,
  );
  assertMatch(stderr, /error: logs\/b\.json:1:1: Cannot determine what the file defines/);
  await space.remove("migrations/logs/a.json");
  await space.remove("migrations/logs/b.json");
  assertEquals((await space.run("validate", "-m", "search")).code, 0);
});

Deno.test("cli baseline records without applying", async () => {
  await using space = await sqlSpace();
  const { code, stdout } = await space.run("baseline");
  assertEquals(code, 0);
  assertMatch(stdout, /main: 2 recorded without applying\n {2}recorded {2}001\.sql/);
  assertStringIncludes((await space.run()).stdout, "up to date, 2 unchanged");
  await space.write("migrations/main/003.sql", "INSERT INTO t VALUES (3);");
  assertEquals((await space.run()).code, 8); // the table was never created
});

Deno.test("cli resolve is the way out after an interruption, as the message says", async () => {
  await using double = startClusterDouble();
  await using space = await workspace({
    "config/application.yml": search(double.url),
    "migrations/logs/a.json":
      '{"method":"POST","path":"/_aliases","body":{"actions":[{"add":{"index":"framework_migrations","alias":"records"}}]}}',
  });
  const leave = async (rest: Record<string, unknown> = {}) => {
    const source = {
      state: "held",
      owner: "other",
      lease_expires_at: new Date(0).toISOString(),
      pending: [{ id: "logs/a.json", hash: "0".repeat(64), ...rest }],
    };
    const action = { index: { _index: "framework_migrations_lock", _id: "logs" } };
    const body = `${JSON.stringify(action)}\n${JSON.stringify(source)}\n`;
    await fetch(`${double.url}/_bulk`, { method: "POST", body });
  };
  await leave();
  const stopped = await space.run("-m", "search");
  assertEquals(stopped.code, 9);
  assertStringIncludes(stopped.stderr, "resolve a.json --retry");

  const path = "logs/a.json"; // As errors show it.
  const retried = await space.run("resolve", path, "--retry", "-m", "search");
  assertEquals([retried.code, retried.stdout], [
    0,
    "logs/a.json: the next run applies it\n" +
    "  known: it was interrupted, and it is unknown whether it was applied\n",
  ]);
  assertEquals((await space.run("-m", "search")).code, 0);

  const again = await space.run("resolve", "a.json", "--applied", "-m", "search");
  assertEquals(again.code, 2);
  assertStringIncludes(again.stderr, "no interrupted file has this path");
  for (
    const args of [
      ["a.json"],
      ["a.json", "--applied", "--retry"],
      ["a.json", "--retry", "--abandon"],
      ["b.json", "--retry"],
      ["b.json", "--abandon"],
    ]
  ) {
    assertEquals((await space.run("resolve", ...args, "-m", "search")).code, 2, args.join(" "));
  }

  await leave();
  const abandoned = await space.run("resolve", "a.json", "--abandon", "-m", "search");
  assertEquals(abandoned.code, 2);
  assertStringIncludes(
    abandoned.stderr,
    "no interrupted file with an unfinished copy has this path",
  );

  await leave({ state: "running", repeat_safe: true, resume: { phase: "unknown" } });
  const kept = await space.run("resolve", "a.json", "--retry", "-m", "search");
  assertEquals(kept.code, 0);
  assertStringIncludes(kept.stdout, "logs/a.json: the next run continues it\n");
  const refused = await space.run("resolve", "a.json", "--applied", "-m", "search");
  assertEquals(refused.code, 9);
  assertStringIncludes(refused.stderr, "resolve a.json --abandon");
});

Deno.test("cli new writes a dated file that validate accepts", async () => {
  await using space = await sqlSpace();
  const { code, stdout } = await space.run("new", "add_index");
  assertEquals(code, 0);
  assertMatch(stdout, /migrations\/main\/\d{8}-\d{6}_add_index\.sql\n$/);
  const { stderr } = await space.run("validate");
  assertMatch(stderr, /^warning: .*_add_index\.sql: The file has no statement, and a run records/m);

  await space.write("config/application.yml", search("http://127.0.0.1:1"));
  for (const name of ["logs-template", "old-policy", "mapping"]) {
    const created = await space.run("new", name, "-m", "search");
    assertMatch(created.stdout, new RegExp(`migrations/logs/\\d{8}-\\d{6}/${name}\\.json\n$`));
  }
  assertEquals((await space.run("validate", "-m", "search")).code, 0);
  assertEquals((await space.run("new", "../evil")).code, 2);
});

Deno.test("cli new gives files of one second the order in which they were made", async () => {
  await using space = await sqlSpace();
  const made: string[] = [];
  for (const name of ["d", "c", "b", "a"]) made.push((await space.run("new", name)).stdout);
  assertEquals(made.toSorted(), made);
  assertEquals(new Set(made.map((path) => path.match(/\d{8}-\d{6}/)?.[0])).size, 4);
});

Deno.test("cli new --rollover writes the request that starts the next index of a series", async () => {
  await using space = await sqlSpace();
  const refused = await space.run("new", "logs", "--rollover");
  assertEquals(refused.code, 2);
  assertStringIncludes(refused.stderr, "expected '-m search' with '--rollover'");

  await space.write("config/application.yml", search("http://127.0.0.1:1"));
  const { code, stdout } = await space.run("new", "logs", "--rollover", "-m", "search");
  assertEquals(code, 0);
  assertMatch(stdout, /migrations\/logs\/\d{8}-\d{6}\/logs\.json\n$/);
  assertEquals(JSON.parse(await Deno.readTextFile(stdout.trim())), {
    method: "POST",
    path: "/logs/_rollover",
    body: {},
  });
  assertEquals((await space.run("validate", "-m", "search")).code, 0);
});

Deno.test("cli prune has nothing to delete of databases, nor of a cluster without old indices", async () => {
  await using double = startClusterDouble();
  await using space = await workspace({
    "config/application.yml": search(double.url),
    "migrations/logs/a-template.json": template(1),
  });
  await space.run("-m", "search");
  const refused = await space.run("prune");
  assertEquals(refused.code, 2);
  assertStringIncludes(refused.stderr, "Cannot prune SQL databases: expected '-m search'");
  const { code, stdout, stderr } = await space.run("prune", "-m", "search");
  assertEquals([code, stdout, stderr], [0, "logs: nothing to delete\n", ""]);
});

Deno.test("cli --wait does not wait for a cluster that refuses the credentials", async () => {
  await using double = startClusterDouble({ intercept: () => new Response("no", { status: 401 }) });
  await using space = await workspace({
    "config/application.yml": search(double.url),
    "migrations/logs/a-template.json": template(1),
  });
  assertEquals((await space.run("-m", "search", "--wait", "10m")).code, 7);
  const { code, stderr } = await space.run("--wait", "soon");
  assertEquals(code, 2);
  assertMatch(stderr, /Expected a time such as 500ms, 30s or 2m/);
});

Deno.test("cli -v says which files are ignored", async () => {
  await using space = await workspace({
    "config/application.yml": search("http://127.0.0.1:1"),
    "migrations/logs/a-template.json": template(1),
    "migrations/logs/README.md": "",
    "migrations/logs/.old/b-template.json": "",
  });
  const { stdout, stderr } = await space.run("validate", "-m", "search", "-v");
  assertEquals(stdout, "logs: 1 file, valid\n");
  assertEquals(
    stderr,
    "ignored: logs/.old/: it is hidden or has another extension\n" +
      "ignored: logs/README.md: it is hidden or has another extension\n",
  );
  assertEquals((await space.run("validate", "-m", "search")).stderr, "");
});

Deno.test("cli resolve takes the first folder of a path as the connection of this name, and only that", async () => {
  const datasource = (name: string) =>
    `  - name: ${name}\n    url: sqlite:./${name}.db\n    migrations: { enabled: true }\n`;
  const stopped =
    "-- irori: no-transaction\nCREATE TABLE IF NOT EXISTS t (n INTEGER);\nSELECT missing;\n";
  await using space = await workspace({
    "config/application.yml": `datasource:\n${datasource("a")}${datasource("b")}`,
    "migrations/a/b/x.sql": stopped,
    "migrations/b/x.sql": stopped,
  });
  for (const name of ["a", "b"]) assertEquals((await space.run("--connection", name)).code, 8);
  const resolve = async (path: string, ...args: string[]) => {
    const { code, stdout } = await space.run("resolve", path, "--retry", ...args);
    return [code, stdout.split("\n")[0]];
  };
  assertEquals(await resolve("b/x.sql"), [0, "b/x.sql: the next run applies it"]);
  assertEquals(await resolve("b/x.sql"), [2, ""]);
  assertEquals((await space.run("--connection", "a")).code, 9);
  assertEquals(await resolve("a/b/x.sql"), [0, "a/b/x.sql: the next run applies it"]);
  assertEquals((await space.run("--connection", "a")).code, 8);
  const alone = await resolve("b/x.sql", "--connection", "a");
  assertEquals(alone, [0, "a/b/x.sql: the next run applies it"]);
});
