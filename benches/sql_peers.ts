/**
 * Measures SQL migrations, each run in a process of its own, against the programs of others that npm ships: dbmate (a
 * binary) and node-pg-migrate, on the same files with the heads that each of them wants.
 *
 * ```sh
 * eval "$(tests/servers/sql.sh start)"
 * deno run -A benches/sql_peers.ts
 * ```
 *
 * @module
 */
import { join } from "@std/path";

const FILES = 1000;
const ROUNDS = 3;
const PACKAGES = ["dbmate@^2.36.0", "node-pg-migrate@^9.0.0", "pg@^8.23.0"];

interface Program {
  readonly name: string;
  /** What stands before the SQL of a file. */
  readonly head: string;
  /** And behind it. */
  readonly foot?: string;
  command(url: string, migrations: string): readonly string[];
  readonly kinds: readonly string[];
}

const folder = await Deno.makeTempDir({ prefix: "irori-peers-" });
const bin = (name: string) => join(folder, "node_modules", ".bin", name);
const PROGRAMS: readonly Program[] = [
  {
    name: "irori",
    head: "",
    command: (url, migrations) => {
      const script = join(import.meta.dirname ?? "", "sql", "sql_ours.ts");
      return [Deno.execPath(), "run", "-A", "--no-check", script, "", url, migrations];
    },
    kinds: ["sqlite", "postgres"],
  },
  {
    name: "dbmate",
    head: "-- migrate:up\n",
    foot: "-- migrate:down\n",
    command: (url, migrations) => {
      const separator = url.startsWith("postgres") ? "?sslmode=disable" : "";
      const directory = join(migrations, "main");
      return [bin("dbmate"), "-u", url + separator, "-d", directory, "--no-dump-schema", "migrate"];
    },
    kinds: ["sqlite", "postgres"],
  },
  {
    name: "node-pg-migrate",
    head: "-- Up Migration\n",
    command: (url, migrations) => {
      const directory = join(migrations, "main");
      return ["env", `DATABASE_URL=${url}`, bin("node-pg-migrate"), "up", "-m", directory];
    },
    kinds: ["postgres"],
  },
];

const databases: string[] = [];
try {
  await Deno.writeTextFile(join(folder, "package.json"), "{}");
  await execute(["npm", "install", "--silent", "--prefix", folder, ...PACKAGES]);
  for (const program of PROGRAMS) await writeFiles(program);
  const server = Deno.env.get("TEST_PG_URL");
  for (const kind of server === undefined ? ["sqlite"] : ["sqlite", "postgres"]) {
    for (const program of PROGRAMS.filter(({ kinds }) => kinds.includes(kind))) {
      await measure(program, kind, server ?? "");
    }
  }
} finally {
  await Deno.remove(folder, { recursive: true });
  for (const name of databases) await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function writeFiles({ name, head, foot = "" }: Program): Promise<void> {
  await Deno.mkdir(join(folder, name, "main"), { recursive: true });
  for (let i = 0; i < FILES; i++) {
    const text = i % 10 === 0
      ? `CREATE TABLE t${i} (id INTEGER PRIMARY KEY, name VARCHAR(40));\n`
      : `INSERT INTO t${i - i % 10} (id, name) VALUES (${i}, 'name ${i}');\n`;
    const path = join(folder, name, "main", `${20240101000000 + i}_file.sql`);
    await Deno.writeTextFile(path, head + text + foot);
  }
}

async function measure(program: Program, kind: string, server: string): Promise<void> {
  const first: number[] = [];
  const again: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const url = await createDatabase(kind, server);
    const command = program.command(url, join(folder, program.name));
    for (const times of [first, again]) {
      const started = performance.now();
      await execute(command);
      times.push(performance.now() - started);
    }
  }
  const text = `${median(first)} ms first, ${median(again)} ms unchanged`;
  console.log(`${kind}, ${FILES} files, ${program.name}: ${text}`);
}

async function createDatabase(kind: string, server: string): Promise<string> {
  if (kind === "sqlite") return `sqlite:${join(folder, `${crypto.randomUUID()}.db`)}`;
  const name = `irori_peers_${Deno.pid}_${databases.length}`;
  databases.push(name);
  await administer(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function administer(sql: string): Promise<void> {
  const { default: pg } = await import("npm:pg@^8.23.0");
  const client = new pg.Client(Deno.env.get("TEST_PG_URL"));
  await client.connect();
  await client.query(sql);
  await client.end();
}

async function execute([program = "", ...args]: readonly string[]): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args }).output();
  if (success) return;
  throw new Error(
    [program, ...[stdout, stderr].map((b) => new TextDecoder().decode(b))].join("\n"),
  );
}

function median(numbers: readonly number[]): number {
  return Math.round(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN);
}
