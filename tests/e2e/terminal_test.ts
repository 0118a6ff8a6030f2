import { assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { startClusterDouble } from "../servers/cluster_double.ts";
import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { onTerminal } from "../terminal.ts";
import { CLI, type Workspace, workspace } from "./command_line.ts";

/**
 * Compares the output in a real pseudo-terminal with the files in `terminal/`: `␛` stands for the escape character,
 * times and names of the machine are replaced. `UPDATE=1 deno test -A tests/e2e/terminal_test.ts` writes them.
 */
const SQL = {
  "config/application.yml":
    "datasource:\n  - name: main\n    url: sqlite:./app.db\n    migrations: { enabled: true }\n",
  "migrations/main/001_users.sql": "CREATE TABLE users (name TEXT);\n",
  "migrations/main/002_seed.sql": "INSERT INTO users VALUES ('Ada');\n",
  "migrations/main/003_broken.sql": "SELECT 1;\nSELEC 2;\n",
  "migrations/main/004_never.sql": "SELECT 1;\n",
};

function search(url: string): string {
  return `search:\n  - name: logs\n    hosts: ['${url}']\n    migrations: { enabled: true }\n`;
}

const template = (shards: number) =>
  JSON.stringify({ index_patterns: ["x-*"], template: { settings: { number_of_shards: shards } } });

Deno.test("a terminal shows a run that fails, and where files stand after it", async () => {
  await using space = await workspace(SQL);
  await matches("sql_plan", await irori(space, "plan"));
  await matches("sql_migrate", await irori(space));
  await matches("sql_status", await irori(space, "status"));
  await space.write("migrations/main/002_seed.sql", "SELECT 1;");
  await space.remove("migrations/main/003_broken.sql");
  await matches("sql_edited", await irori(space));
});

Deno.test("a terminal shows the adoption of a history, with a file that Drizzle has omitted", async () => {
  const { "migrations/main/003_broken.sql": _, ...rest } = SQL;
  const entries = ["001_users", "002_seed", "004_never"].map((tag, index) => {
    return { tag, when: index === 1 ? 50 : 100 + index };
  });
  await using space = await workspace({
    ...rest,
    "migrations/main/meta/_journal.json": JSON.stringify({ entries }),
  });
  const database = new DatabaseSync(`${space.path}/app.db`);
  database.exec("CREATE TABLE __drizzle_migrations (id INTEGER, hash TEXT, created_at NUMERIC)");
  const insert = database.prepare("INSERT INTO __drizzle_migrations VALUES (?, ?, ?)");
  insert.run(1, hash(SQL["migrations/main/001_users.sql"]), 100);
  insert.run(2, hash("SELECT 0;\n"), 102);
  database.close();
  await matches("help_adopt", await irori(space, "adopt", "--help"));
  await matches("sql_adopt_refused", await irori(space, "adopt"));
  const answers = ["--skip", "002_seed.sql", "--changed", "004_never.sql"];
  await matches("sql_adopt", await irori(space, "adopt", ...answers));
});

Deno.test("a terminal shows plans, runs and drift of a cluster", async () => {
  await using double = startClusterDouble();
  await using space = await workspace({
    "config/application.yml": search(double.url),
    "migrations/logs/b-template.json": template(1),
  });
  await matches("search_migrate", await irori(space, "-m", "search"));
  await space.write("migrations/logs/a-template.json", '{"template":{},"priority":1}');
  await space.write("migrations/logs/b-template.json", template(2));
  await matches("search_plan", await irori(space, "plan", "-m", "search"));
  await matches("search_again", await irori(space, "-m", "search"));
  await matches("search_unchanged", await irori(space, "-m", "search"));
  const body = template(3);
  await (await fetch(`${double.url}/_index_template/b`, { method: "PUT", body })).body?.cancel();
  await matches("search_drift", await irori(space, "drift", "-m", "search"));
});

Deno.test("a terminal shows what is wrong with files, and usage", async () => {
  await using space = await workspace({
    "config/application.yml": search("http://127.0.0.1:1"),
    "migrations/logs/a-template.json": '{\n  "index_patterns": ["a-*"],\n  "priority": 1e,\n}\n',
    "migrations/logs/release-10/b.json": '{"method":"GET","path":"/"}',
    "migrations/logs/release-2/b.json": '{"method":"GET","path":"/"}',
  });
  await matches("validate", await irori(space, "validate", "-m", "search"));
  await matches("help", await irori(space, "--help"));
  await matches("help_resolve", await irori(space, "resolve", "--help"));
  await matches("typo", await irori(space, "migrat"));
});

Deno.test("a terminal shows no colours with NO_COLOR, but how far a run is", async () => {
  await using space = await workspace(SQL);
  const shown = await irori({ ...space, env: "NO_COLOR=1" });
  assertFalse(/␛\[\d+m/.test(shown), shown);
  assertStringIncludes(shown, "[==========>         ] 2/4  003_broken.sql");
});

Deno.test("a dumb terminal gets plain lines", async () => {
  await using space = await workspace(SQL);
  const shown = await irori({ ...space, env: "TERM=dumb" });
  assertFalse(shown.includes("␛"), shown);
});

/** Runs the command line in a pseudo-terminal of 80 columns, and gives what it wrote. */
async function irori(
  { path, env = "TERM=xterm" }: Pick<Workspace, "path"> & { readonly env?: string },
  ...args: string[]
): Promise<string> {
  const command = [Deno.execPath(), "run", "-A", "--quiet", CLI];
  const own = ["-c", `${path}/config`, "--sqlPath", `${path}/migrations`];
  const before = `stty cols 80; env -u NO_COLOR ${env} `;
  const { shown } = await onTerminal([...command, ...own, ...args], { before });
  return shown.replaceAll("\x1b", "␛")
    .replaceAll(path, "<folder>")
    .replace(/\b\d+ ms\b/g, "# ms")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<when>").replace(
      /<when> by [\w.-]+/g,
      "<when> by <who>",
    );
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

async function matches(name: string, shown: string): Promise<void> {
  const file = new URL(`terminal/${name}.txt`, import.meta.url);
  if (Deno.env.get("UPDATE")) await Deno.writeTextFile(file, shown);
  assertEquals(shown, await Deno.readTextFile(file), name);
}
