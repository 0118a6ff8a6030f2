/**
 * Writes `docs/tested.md` from the report of a whole run: `deno task test:all --report FILE`, then
 * `deno task test:tested FILE`. The versions are those of the programs that the tests of this machine use.
 */
import { join } from "@std/path";
import { DatabaseSync } from "node:sqlite";
import { bun, edgeTools, node, workerd } from "../tests/runtimes/executables.ts";
import { casesOf } from "./_report.ts";
import { clusterVersions } from "./_groups.ts";
import { tally } from "./_tally.ts";
import { testedPage } from "./_tested_page.ts";
import { deno } from "./_run.ts";

const [file] = Deno.args;
if (file === undefined) {
  console.error(
    "Usage: deno task test:tested FILE, a report of 'deno task test:all --report FILE'",
  );
  Deno.exit(2);
}
const report = await Deno.readTextFile(file);
const { mtime } = await Deno.stat(file);
const page = testedPage({
  date: (mtime ?? new Date()).toISOString().slice(0, 10),
  tallies: tally(report),
  failed: casesOf(report).filter(({ isFailed }) => isFailed).length,
  versions: await versions(),
});
await Deno.writeTextFile("docs/tested.md", page);
await deno(["fmt", "--quiet", "docs/tested.md"]);

async function versions(): Promise<Readonly<Record<string, string>>> {
  const pglite = await Deno.readTextFile("tests/features/transactions/databases.ts");
  const miniflare = join(await edgeTools(), "node_modules/miniflare/package.json");
  return {
    ...clusterVersions(),
    PostgreSQL: await versionOf([
      "bash",
      "-c",
      "$(ls /usr/lib/postgresql/*/bin/postgres) --version",
    ]),
    PgBouncer: await versionOf(["/usr/sbin/pgbouncer", "--version"]),
    PGlite: /pglite@([\d.]+)/.exec(pglite)?.[1] ?? "",
    MariaDB: await versionOf(["/usr/sbin/mariadbd", "--version"]),
    SQLite: sqliteVersion(),
    Chromium: await versionOf(["bash", "-c", '"$(bash tests/servers/chromium.sh)" --version']),
    "Node 22": await versionOf([...await node(22), "--version"]),
    "Node 24": await versionOf([...await node(24), "--version"]),
    Bun: await versionOf([...await bun(), "--version"]),
    Deno: Deno.version.deno,
    workerd: await versionOf([await workerd(), "--version"]),
    Miniflare: JSON.parse(await Deno.readTextFile(miniflare)).version,
  };
}

/** The first thing that a program prints that looks like a version. */
async function versionOf([command = "", ...args]: readonly string[]): Promise<string> {
  const { stdout } = await new Deno.Command(command, { args, stdin: "null" }).output();
  const [version] = /\d[\d.-]+\d/.exec(new TextDecoder().decode(stdout)) ?? [];
  if (version === undefined) throw new Error(`'${command} ${args.join(" ")}' prints no version`);
  return version;
}

function sqliteVersion(): string {
  using database = new DatabaseSync(":memory:");
  return String(database.prepare("SELECT sqlite_version() AS version").get()?.version);
}
