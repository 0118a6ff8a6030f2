/** SIGTERM and SIGINT at random moments of each command, with large schemas and a large cluster state. */
import { assert, assertEquals } from "@std/assert";
import { depth } from "../long/mod.ts";
import * as postgresql from "../migrations/sql/postgresql_support.ts";
import { startClusterDouble } from "../servers/cluster_double.ts";
import { CLI, type Workspace, workspace } from "./command_line.ts";

/** How long a command may go on after a signal, in milliseconds. Tests that run beside it take processor time. */
const LIMIT_MS = depth(3000, 1000);

function tables(count: number): string {
  return Array.from({ length: count }, (_, i) => {
    return `CREATE TABLE t${i} (id int PRIMARY KEY, name varchar(40));\n`;
  }).join("");
}

/** Starts the command line without its output, which may be large. */
function start({ path }: Workspace, args: readonly string[]): Deno.ChildProcess {
  const own = ["-c", "config", "--sqlPath", "migrations"];
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", CLI, ...own, ...args],
    cwd: path,
    ...{ stdin: "null", stdout: "null", stderr: "null" },
  }).spawn();
}

/** Starts a command, sends it a signal at some moment before its end, and expects it to end by this. */
async function endsBySignal(
  space: Workspace,
  args: readonly string[],
  longestMs: number,
): Promise<void> {
  const signal = Math.random() < 0.5 ? "SIGTERM" : "SIGINT";
  const afterMs = Math.random() * longestMs;
  const child = start(space, args);
  let isOver = false;
  void child.status.then(() => isOver = true);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  if (isOver) return;
  const sentAt = performance.now();
  child.kill(signal);
  const { code } = await child.status;
  const took = performance.now() - sentAt;
  const where = `${args.join(" ")}, ${signal} after ${afterMs} ms, ended ${took} ms later`;
  assert(took < LIMIT_MS, where);
  // It may just have been over.
  if (code > 5) assertEquals(code, signal === "SIGINT" ? 130 : 143, where);
}

Deno.test({
  name: "commands on a large schema + end within a second of a signal, at each moment",
  ignore: postgresql.postgresqlMissing !== undefined,
  async fn() {
    await using space = await workspace();
    try {
      const { database } = await postgresql.create();
      const url = Object.assign(new URL(Deno.env.get("TEST_PG_URL")!), { pathname: database }).href;
      await space.write(
        "config/application.yml",
        `datasource: [{ name: main, url: "${url}", migrations: { enabled: true, schema_file: s.sql } }]`,
      );
      await space.write("migrations/main/1.sql", tables(depth(300, 2000)));
      assertEquals((await space.run()).code, 0);
      await space.write("migrations/main/2.sql", "SELECT 1;");
      const commands = ["drift", "types", "schema --check", "schema", "status", "plan", "validate"];
      for (const command of commands) {
        const longestMs = /drift|types|check/.test(command) ? 5000 : 1000;
        for (let n = 0; n < depth(1, 10); n++) {
          await endsBySignal(space, command.split(" "), longestMs);
        }
      }
    } finally {
      await postgresql.cleanUp();
    }
  },
});

Deno.test("commands on a large cluster state + end within a second of a signal, at each moment", async () => {
  await using double = startClusterDouble();
  await using space = await workspace({
    "config/application.yml":
      `search: [{ name: logs, hosts: ["${double.url}"], migrations: { enabled: true } }]`,
  });
  const fields = Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [`field_${i}`, { type: "keyword" }]),
  );
  for (let i = 0; i < depth(100, 1000); i++) {
    await space.write(
      `migrations/logs/l${i}-template.json`,
      JSON.stringify({
        index_patterns: [`l${i}-*`],
        priority: i + 1,
        template: { mappings: { properties: fields } },
      }),
    );
  }
  assertEquals((await space.run("-m", "search")).code, 0);
  for (const command of ["drift", "status", "plan", "validate", "types"]) {
    for (let n = 0; n < depth(1, 10); n++) {
      await endsBySignal(space, [command, "-m", "search"], 1500);
    }
  }
});

Deno.test("commands + end by a signal while a cluster does not answer", async () => {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<Response>();
  await using double = startClusterDouble({
    intercept: () => {
      asked.resolve();
      return held.promise;
    },
  });
  await using space = await workspace({
    "config/application.yml":
      `search: [{ name: logs, hosts: ["${double.url}"], migrations: { enabled: true } }]`,
    "migrations/logs/a-template.json": '{"index_patterns":["a-*"],"priority":1}',
  });
  const child = start(space, ["drift", "-m", "search"]);
  await asked.promise;
  const sentAt = performance.now();
  child.kill("SIGTERM");
  const { code } = await child.status;
  held.resolve(new Response());
  assert(performance.now() - sentAt < LIMIT_MS);
  assertEquals(code, 143);
});
