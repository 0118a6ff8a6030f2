import { dirname, join } from "@std/path";
import type { Engine, OwnDatabase, Row } from "./databases.ts";
import { irori, NO_VARIABLES } from "../e2e/command_line.ts";

/** How runs of an earlier version have left a database, the files that are there now, and what is done then. */
export interface SqlState {
  readonly name: string;
  /** By path below the folder of the connection. */
  readonly files: Readonly<Record<string, string>>;
  /** Lines of YAML for the datasource's `migrations`. */
  readonly settings?: readonly string[];
  /** Command lines, one after another. */
  readonly steps: readonly string[];
  /** The content; for some engines, other values are listed below their names. */
  readonly held: SqlContent & Readonly<Partial<Record<Engine["name"], Partial<SqlContent>>>>;
}

export interface SqlContent {
  /** The statements of the applied files, and of applied parts of files. */
  readonly made: string;
  /** Makes the table of the records, if that is not the present one. */
  readonly table?: string;
  readonly rows: readonly Row[];
}

/** Takes time while the table `pause` says so, so that a run can be killed meanwhile. */
const PAUSE: Readonly<Record<Engine["name"], string>> = {
  sqlite: "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < " +
    "(SELECT seconds * 30000000 FROM pause)) SELECT count(*) FROM c",
  postgresql: "SELECT pg_sleep(seconds) FROM pause",
  mariadb: "SELECT SLEEP(seconds) FROM pause",
};

/** A folder with the configuration and the files of a state. */
export async function writeFiles(
  folder: string,
  engine: Engine["name"],
  url: string,
  { files, settings = [] }: Pick<SqlState, "files" | "settings">,
): Promise<void> {
  const lines = ["enabled: true", ...settings].map((line) => `      ${line}\n`);
  const config = `datasource:\n  - name: main\n    url: '${url}'\n    migrations:\n`;
  await Deno.remove(join(folder, "files"), { recursive: true }).catch(() => {});
  await write(join(folder, "application.yml"), config + lines.join(""));
  await Deno.mkdir(join(folder, "files", "main"), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await write(join(folder, "files", "main", path), text.replaceAll("@pause@", PAUSE[engine]));
  }
}

/** Restores a state. @returns what the present code prints, and the rows that there are then, without what differs from run to run */
export async function playSql(engine: Engine, state: SqlState, usual: string): Promise<string> {
  const { made, table = usual, rows } = { ...state.held, ...state.held[engine.name] };
  const folder = await Deno.makeTempDir({ prefix: "irori-" });
  try {
    await using database = await engine.create(folder);
    await database.query(table);
    if (made !== "") await database.query(made);
    for (const row of rows) await insert(database, row);
    await writeFiles(folder, engine.name, database.url, state);
    const lines: string[] = [];
    for (const step of state.steps) {
      const own = ["-c", folder, "--sqlPath", join(folder, "files")];
      const { code, stdout, stderr } = await irori([...step.split(" "), ...own], NO_VARIABLES);
      lines.push(`$ irori ${step}  [exit code ${code}]\n${stdout}${stderr}`.trimEnd());
    }
    const after = (await rowsOf(database)).map(lineOf);
    return `${steady(lines.join("\n").replaceAll(folder, "<folder>"))}\n${after.join("\n")}\n`;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

export async function rowsOf(database: OwnDatabase): Promise<readonly Row[]> {
  const rows = await database.query("SELECT * FROM framework_migrations ORDER BY migration_path");
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        const isTime = (value as unknown) instanceof Date;
        return [name, isTime ? (value as unknown as Date).toISOString() : value];
      }),
    )
  );
}

async function insert(database: OwnDatabase, row: Row): Promise<void> {
  const marks = Object.keys(row).map(() => "?").join(", ");
  const sql = `INSERT INTO framework_migrations (${Object.keys(row).join(", ")}) VALUES (${marks})`;
  const isMysql = database.url.startsWith("mysql:");
  const values = Object.values(row).map((value) => {
    const isTime = isMysql && /^\d{4}-\d\d-\d\dT/.test(`${value}`);
    return isTime ? `${value}`.replace("T", " ").replace("Z", "") : value;
  });
  await database.query(sql, values);
}

/** Times, durations and the runs of this machine have one form. */
function steady(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replace(/\b\d+ ms\b/g, "<n> ms")
    .replace(/("durationMs": )\d+/g, "$1<n>")
    .replace(/[\w.-]+-\d+-[0-9a-f]{8}\b/g, "<run>")
    .replace(/irori_[0-9a-f]{16}/g, "<database>")
    .replace(/127\.0\.0\.1:\d+/g, "<server>");
}

/** A row, with what is known of it, but not when it was, how long it took and who did it. */
function lineOf(row: Row): string {
  const of = (name: string, shown = `${row[name]}`) => row[name] == null ? "-" : shown;
  return [
    `${of("connection")}/${row.migration_path}`,
    of("state"),
    ...["content_hash", "previous_hash"].map((name) => of(name, `${row[name]}`.slice(0, 8))),
    of("statement"),
    ...["executed_at", "previous_at"].map((name) => of(name, "<time>")),
    of("duration_ms", "<n>"),
    of("executed_by", "<run>"),
  ].join(" ");
}

async function write(path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
}
