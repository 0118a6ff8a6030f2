import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { installed } from "../../../tools/_npm.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";
import { type Workspace, workspace } from "../../e2e/command_line.ts";

/** A tool of migrations that is run as its users do. */
interface RealTool {
  readonly name: string;
  /** Name and content of three files in order: two that the tool applies, and a later one. */
  readonly files: readonly (readonly [name: string, content: string])[];
  /** Whether its files are rewritten first. */
  readonly isRewritten: boolean;
  /** Whether what it records shows an edit. */
  readonly showsEdits?: boolean;
  /** Applies what lies in a folder. @param modules where npm packages are */
  command(url: string, folder: string, modules: string): readonly string[];
  /** Other files in the folder where it runs. */
  readonly beside?: Readonly<Record<string, string>>;
}

const KNEX = `
import knex from "knex";
const [url, directory] = process.argv.slice(2);
const database = knex({ client: "pg", connection: url, migrations: { directory, loadExtensions: [".mjs"] } });
await database.migrate.latest();
await database.destroy();
`;

const sql = (table: string) => `CREATE TABLE ${table} (n INT);\n`;
const knex = (table: string) =>
  `export const up = (db) => db.raw("CREATE TABLE ${table} (n INT)");\nexport const down = () => {};\n`;

const TOOLS: readonly RealTool[] = [
  {
    name: "dbmate",
    files: ["a", "b", "c"].map((table, index) => [
      `2024010${index + 1}000000_${table}.sql`,
      `-- migrate:up\n${sql(table)}\n-- migrate:down\nDROP TABLE ${table};\n`,
    ]),
    isRewritten: true,
    command: (url, folder, modules) => {
      const { os, arch } = Deno.build;
      const machine = `${os}-${arch === "aarch64" ? "arm64" : "x64"}`;
      const program = join(modules, "@dbmate", machine, "bin", "dbmate");
      const connect = ["-u", `${url}?sslmode=disable`, "-d", folder];
      return [program, ...connect, "--no-dump-schema", "migrate"];
    },
  },
  {
    name: "node-pg-migrate",
    files: ["a", "b", "c"].map((table, index) => [
      `170400000000${index}_${table}.sql`,
      `-- Up Migration\n${sql(table)}\n-- Down Migration\nDROP TABLE ${table};\n`,
    ]),
    isRewritten: true,
    command: (url, folder, modules) => {
      const program = join(modules, ".bin", "node-pg-migrate");
      return ["env", `DATABASE_URL=${url}`, "node", program, "up", "-m", folder];
    },
  },
  {
    name: "knex",
    files: ["a", "b", "c"].map((table, index) => [`2024010${index + 1}_${table}.mjs`, knex(table)]),
    isRewritten: false,
    command: (url, folder, modules) => {
      return ["node", join(modules, "..", "apply_knex.mjs"), url, folder];
    },
    beside: { "apply_knex.mjs": KNEX },
  },
  {
    name: "Supabase",
    files: ["a", "b", "c"].map((table, index) => [`2024010${index + 1}_${table}.sql`, sql(table)]),
    isRewritten: false,
    showsEdits: true,
    command: (url, _folder, modules) => {
      const program = join(modules, ".bin", "supabase");
      const lay = "mkdir supabase && ln -s .. supabase/migrations && touch supabase/config.toml";
      const push = `${program} db push --remote='${url}?sslmode=disable' --yes`;
      return ["sh", "-c", `${lay} && ${push}`];
    },
  },
];

const PACKAGES = [
  "dbmate@2.36.0",
  "node-pg-migrate@9.0.0",
  "pg@8.23.0",
  "knex@3.3.0",
  "supabase@3.1.0",
];

for (const tool of TOOLS) {
  Deno.test({
    name: `cli adopts what ${tool.name} has applied, applies what is new, and refuses an edit`,
    ignore: postgresql.postgresqlMissing !== undefined,
    fn: async () => {
      const datasource = await postgresql.create();
      const folder = await Deno.makeTempDir({ prefix: "irori-adopt-" });
      try {
        await adopts(tool, datasource, folder);
      } finally {
        await Deno.remove(folder, { recursive: true });
        await postgresql.cleanUp();
      }
    },
  });
}

const SQLITE = configOf("sqlite:./app.db");

Deno.test("cli adopt does nothing where there is no other history, and --write asks no server", async () => {
  await using space = await workspace({
    "config/application.yml": SQLITE,
    "migrations/main/1.sql": sql("a"),
  });
  const none = await space.run("adopt", "--json");
  assertEquals([none.code, none.stderr], [0, "main: no history of another tool\n"]);
  assertEquals(JSON.parse(none.stdout).connections[0].rows, []);
  assertEquals((await space.run("adopt", "--write", "--dry-run")).code, 2);
  assertEquals((await space.run("migrate")).code, 0);
});

Deno.test("cli adopt --write writes nothing where a part of a file would be lost", async () => {
  const both = `-- migrate:up\n${sql("a")}-- migrate:down\nDROP TABLE a;\n`;
  await using space = await workspace({
    "config/application.yml": SQLITE,
    "migrations/main/1_a.sql": both,
    "migrations/main/2_b.sql": both,
    "migrations/main/2_b.sql.down": "-- mine\n",
  });
  const lost = await space.run("adopt", "--write");
  assertEquals(lost.code, 3);
  assertStringIncludes(lost.stderr, "main/2_b.sql: Cannot keep a part of it in '2_b.sql.down'");
  const text = (name: string) => Deno.readTextFile(join(space.path, "migrations/main", name));
  assertEquals([await text("1_a.sql"), await text("2_b.sql")], [both, both]);

  await space.remove("migrations/main/2_b.sql.down");
  assertEquals((await space.run("adopt", "--write")).code, 0);
  assertEquals(await text("2_b.sql.down"), "-- migrate:down\nDROP TABLE a;\n");
  assertStringIncludes((await space.run("adopt", "--write")).stdout, "main: 0 files written");
  // As after a process that died between the two.
  await space.write("migrations/main/1_a.sql", both);
  assertEquals((await space.run("adopt", "--write")).code, 0);
  assertEquals(await text("1_a.sql"), `-- migrate:up\n${sql("a")}`);
});

async function adopts(tool: RealTool, datasource: Datasource, folder: string): Promise<void> {
  const url = urlOf(datasource);
  const packages = await installed("adopt", PACKAGES);
  for (const [name, text] of Object.entries(tool.beside ?? {})) {
    await Deno.writeTextFile(join(packages, name), text);
  }
  const [first, second, third] = tool.files as [Entry, Entry, Entry];
  for (const [name, text] of [first, second]) await Deno.writeTextFile(join(folder, name), text);
  await run(tool.command(url, folder, join(packages, "node_modules")), folder);

  await using space = await workspace({ "config/application.yml": configOf(url) });
  await lay(space, tool, [first, second]);
  if (tool.isRewritten) {
    const refused = await space.run("validate");
    assertEquals(refused.code, 3, refused.stderr);
    assertStringIncludes(refused.stderr, "adopt --write");
    const written = await space.run("adopt", "--write");
    assertEquals([written.code, written.stderr], [0, ""]);
    assertStringIncludes(written.stdout, "main: 4 files written");
  }
  const early = await space.run("migrate");
  assertEquals(early.code, 2, early.stdout);
  assertStringIncludes(early.stderr, `there is a history of ${tool.name} (the table '`);

  if (tool.showsEdits) {
    await space.write(`migrations/main/${ours(second[0])}`, `${sql("b")}SELECT 1;\n`);
    const edited = await space.run("adopt");
    assertEquals(edited.code, 2, edited.stdout);
    assertStringIncludes(edited.stdout, "differs");
    await lay(space, tool, [second]);
  }
  const dry = await space.run("adopt", "--dry-run");
  assertEquals(dry.code, 0, dry.stderr);
  assertStringIncludes(dry.stdout, "main: 2 would be recorded without applying, 0 pending");
  const adopted = await space.run("adopt");
  assertEquals(adopted.code, 0, adopted.stderr);
  assertStringIncludes(adopted.stdout, "main: 2 recorded without applying, 0 pending");
  assertEquals((await space.run("status", "--check")).code, 0);

  await lay(space, tool, [third]);
  if (tool.isRewritten) await space.run("adopt", "--write");
  const { code, stdout, stderr } = await space.run("migrate");
  assertEquals([code, stderr], [0, ""]);
  assertMatch(stdout, /1 applied, 2 unchanged/);
  const tables = await postgresql.query(
    datasource,
    "SELECT relname FROM pg_class WHERE relname IN ('a', 'b', 'c') ORDER BY 1",
  );
  assertEquals(tables.map(({ relname }) => relname), ["a", "b", "c"]);

  await space.write(`migrations/main/${ours(first[0])}`, "SELECT 1;\n");
  assertEquals((await space.run("migrate")).code, 8);
}

type Entry = RealTool["files"][number];

/** The name that a file of the tool has here. */
function ours(name: string): string {
  return name.replace(/\.mjs$/, ".sql");
}

/** Puts files into the connection's folder: what a program does is written as SQL. */
async function lay(space: Workspace, { isRewritten }: RealTool, files: readonly Entry[]) {
  for (const [name, text] of files) {
    const content = isRewritten ? text : sql(/_(\w)\./.exec(name)![1]!);
    await space.write(`migrations/main/${ours(name)}`, content);
  }
}

function configOf(url: string): string {
  return `datasource:\n  - name: main\n    url: ${url}\n    migrations: { enabled: true }\n`;
}

function urlOf({ host, port, username, password, database }: Datasource): string {
  const user = [username ?? "", password?.reveal() ?? ""].map(encodeURIComponent).join(":");
  return `postgres://${user}@${host}:${port}/${database}`;
}

async function run([program, ...args]: readonly string[], cwd: string): Promise<void> {
  const command = new Deno.Command(program!, { args, cwd, stdin: "null" });
  const { success, stdout, stderr } = await command.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) throw new Error(`${program} ${args.join(" ")}: ${text(stdout)}${text(stderr)}`);
}
