/**
 * Compares the types of `irori types` with those of kysely-codegen, column by column, by the TypeScript compiler, and
 * writes the result to `docs/proofs/generated-types.md`. Both read the same database of a server.
 *
 * Usage: `deno run -A tools/compare_types.ts SETS`, with `TEST_PG_URL` and `TEST_MYSQL_URL`; `SETS` is a JSON file with
 * a list of `{ "name": …, "folder": …, "path": …, "dialect": "PostgreSQL" | "MariaDB" | "SQLite" }`.
 */
import { join } from "@std/path";
import { type Workspace, workspace } from "../tests/e2e/command_line.ts";
import * as mariadb from "../tests/migrations/sql/mysql_support.ts";
import * as postgresql from "../tests/migrations/sql/postgresql_support.ts";
import { copy } from "./_copy.ts";
import { installed } from "./_npm.ts";
import { deno } from "./_run.ts";

const CODEGEN = "0.20.0";
const PAGE = "docs/proofs/generated-types.md";

interface MigrationSet {
  readonly name: string;
  readonly folder: string;
  readonly path: string;
  readonly dialect: "PostgreSQL" | "MariaDB" | "SQLite";
}

interface Compared {
  readonly tables: number;
  readonly columns: number;
  /** Whether files applied in this process, and to a server, give the same bytes. */
  readonly isSame: boolean | undefined;
  readonly differences: readonly Difference[];
}

interface Difference {
  readonly table: string;
  readonly column: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Why types differ; the first that fits counts. */
const REASONS: readonly (readonly [reason: string, fits: (difference: Difference) => boolean])[] = [
  [
    "a partition, or a table of an extension or of another migration tool",
    ({ ours, column }) => column === "" && ours === "",
  ],
  [
    "a generated column: no query can write it",
    ({ ours, theirs }) => /never$/.test(ours) && theirs !== "",
  ],
  ["SQLite: a generated column, which kysely-codegen leaves out", ({ theirs }) => theirs === ""],
  ["a view: no query writes it", ({ ours }) => ours.startsWith("view")],
  [
    "`pg` reads `numeric[]` as numbers",
    ({ ours, theirs }) => ours.startsWith("number[]") && theirs.includes("Numeric"),
  ],
  [
    "`pg` reads an array of such a type as text",
    ({ ours, theirs }) => /^string\b.*\[\]/.test(ours) && /\[\]|ArrayType/.test(theirs),
  ],
  [
    "JSON: `pg` sends a list as an array of PostgreSQL, which such a column refuses",
    ({ ours }) => ours.includes("JsonInput"),
  ],
  [
    "`point`, `circle`: `pg` sends an object as JSON, which such a column refuses",
    ({ ours, theirs }) => /Point|Circle/.test(ours) && /Point|Circle/.test(theirs),
  ],
  [
    "`Buffer` is a `Uint8Array`, and needs the types of Node",
    ({ ours, theirs }) => ours.includes("Uint8Array") && theirs.includes("Buffer"),
  ],
  [
    "MariaDB: a time may be written as text, too",
    ({ ours, theirs }) => ours.includes("Date | string") && /\bDate\b/.test(theirs),
  ],
  [
    "MariaDB: a decimal may also be updated by a number",
    ({ ours, theirs }) => ours.includes("number | string") && theirs.includes("Decimal"),
  ],
  [
    "MariaDB: `mysql2` parses JSON",
    ({ ours, theirs }) => ours.includes("Json") && /string/.test(theirs),
  ],
  ["MariaDB: a label with a backslash", ({ theirs }) => theirs.includes("\\\\")],
  [
    "MariaDB: `mysql2` reads it as text",
    ({ ours, theirs }) => ours.startsWith("string") && theirs.includes("unknown"),
  ],
  [
    "PostgreSQL: the domain of the column is `NOT NULL`",
    ({ ours, theirs }) =>
      !ours.includes("null") && theirs.includes("| null") && ours.startsWith("string"),
  ],
  [
    "SQLite: `INTEGER PRIMARY KEY` is never `NULL`",
    ({ ours, theirs }) => ours === "number / number" && /number \| null/.test(theirs),
  ],
  [
    "SQLite: the declared type makes a number of the value",
    ({ ours, theirs }) => ours.startsWith("number") && theirs.includes("string"),
  ],
  ["SQLite: the value may be of any kind", ({ ours }) => ours.startsWith("unknown")],
];

async function compare(path: string): Promise<void> {
  const sets = JSON.parse(await Deno.readTextFile(path)) as readonly MigrationSet[];
  const npm = await installed("kysely-codegen", [
    ...[`kysely-codegen@${CODEGEN}`, "kysely@0.28.17", "pg", "mysql2", "typescript@5.9.3"],
    ...["@libsql/kysely-libsql@0.4.1"],
  ]);
  const rows: string[] = [];
  const left: string[] = [];
  const reasons = new Map<string, { count: number; example: string }>();
  const unexplained: string[] = [];
  let columns = 0;
  for (const set of sets) {
    const found = await compared(set, npm).catch((error): string => error.message.split("\n")[0]);
    console.log(set.name, set.folder, typeof found === "string" ? found : found.columns);
    if (typeof found === "string") {
      left.push(`| ${set.name} | \`${set.folder}\` | ${set.dialect} | ${found} |`);
      continue;
    }
    columns += found.columns;
    for (const difference of found.differences) {
      const [reason] = REASONS.find(([, fits]) => fits(difference)) ?? [];
      const text =
        `${difference.table}.${difference.column}: ${difference.ours}; ${difference.theirs}`;
      if (reason === undefined) unexplained.push(`${set.folder}: ${text}`);
      else {
        const { count = 0, example = text } = reasons.get(reason) ?? {};
        reasons.set(reason, { count: count + 1, example });
      }
    }
    const isSame = found.isSame === undefined ? "needs a server" : found.isSame ? "yes" : "no";
    rows.push(
      `| ${set.name} | \`${set.folder}\` | ${set.dialect} | ${found.tables} | ${found.columns} | ` +
        `${found.differences.length} | ${isSame} |`,
    );
  }
  await Deno.writeTextFile(PAGE, page({ rows, left, reasons, unexplained, columns }));
  await deno(["fmt", "--quiet", PAGE]);
  console.log(
    `${rows.length} compared, ${left.length} left out, ${unexplained.length} unexplained`,
  );
  for (const one of unexplained.slice(0, 40)) console.log(one);
}

async function compared(set: MigrationSet, npm: string): Promise<Compared> {
  await using space = await workspace();
  await copy(set.path, join(space.path, "migrations/main"));
  const { url, empty } = await databasesFor(set, space);
  const datasource = [{ name: "main", url, migrations: { enabled: true, on_change: "fail" } }];
  await space.write("config/application.yml", JSON.stringify({ datasource }));
  try {
    const [ours, theirs, isSame] = await modules(set, space, { url, empty }, npm);
    await space.write("ours.ts", ours);
    await space.write("theirs.ts", `import type { Buffer } from "node:buffer";\n${theirs}`);
    const tables = tablesOf(ours);
    const others = tablesOf(theirs.replace("interface DB ", "interface Database "));
    return {
      tables: tables.size,
      columns: [...tables.values()].reduce((sum, columns) => sum + columns.size, 0),
      isSame,
      differences: await differencesIn(space, tables, others),
    };
  } finally {
    await postgresql.cleanUp();
    await mariadb.cleanUp();
  }
}

function urlOf(variable: string, database: string): string {
  return Object.assign(new URL(Deno.env.get(variable)!), { pathname: `/${database}` }).href;
}

async function databasesFor({ dialect }: MigrationSet, { path }: Workspace) {
  if (dialect === "SQLite") return { url: `sqlite:${path}/app.db` };
  const { create } = dialect === "PostgreSQL" ? postgresql : mariadb;
  const variable = dialect === "PostgreSQL" ? "TEST_PG_URL" : "TEST_MYSQL_URL";
  const [one, other] = [await create(), await create()];
  return { url: urlOf(variable, one.database), empty: urlOf(variable, other.database) };
}

async function modules(
  { dialect }: MigrationSet,
  space: Workspace,
  { url, empty }: { readonly url: string; readonly empty?: string },
  npm: string,
): Promise<readonly [ours: string, theirs: string, isSame: boolean | undefined]> {
  const print = async (...args: string[]) => {
    const { code, stdout, stderr } = await space.run("types", ...args);
    if (code !== 0) throw new Error(stderr);
    return stdout;
  };
  const here = dialect === "MariaDB" ? undefined : await print().catch((error) => `${error}`);
  const there = empty === undefined ? here! : await print("--url", empty);
  const { code, stderr } = await space.run();
  if (code !== 0) throw new Error(stderr);
  const live = await print("--live");
  if (live !== there) throw new Error("--live and --url differ");
  const out = join(space.path, "codegen.ts");
  const kind = { PostgreSQL: "postgres", MariaDB: "mysql", SQLite: "libsql" }[dialect];
  const { success, stderr: reason, stdout } = await new Deno.Command("node", {
    args: [
      join(npm, "node_modules/kysely-codegen/dist/cli/bin.js"),
      ...[
        "--exclude-pattern",
        "*framework_migrations",
        "--dialect",
        kind,
        "--url",
        url.replace("sqlite:", "file:"),
        "--out-file",
        out,
      ],
    ],
    cwd: npm,
  }).output();
  const text = new TextDecoder();
  if (!success) throw new Error((text.decode(reason) + text.decode(stdout)).trim());
  return [live, await Deno.readTextFile(out), here === undefined ? undefined : here === live];
}

/** Texts of types by names of columns: what is read, and what is written. */
type Table = ReadonlyMap<string, string>;

/** The tables of a module, by the keys of its `Database`. */
function tablesOf(module: string): ReadonlyMap<string, Table> {
  const membersOf = (name: string) => {
    const [, body = ""] =
      new RegExp(`interface ${name.replaceAll("$", "\\$")} \\{\\n(.*?)\\n\\}`, "s").exec(module) ??
        [];
    const own = body.replace(/^ *\/\*\*.*?\*\/\n/gms, "");
    return new Map(
      [...own.matchAll(/^ {2}(?:"((?:[^"\\]|\\.)+)"|([\w$]+))\??: (.*);$/gm)].map((
        [, quoted, plain, type],
      ) => [quoted === undefined ? plain! : JSON.parse(`"${quoted}"`) as string, type!]),
    );
  };
  return new Map([...membersOf("Database")].map(([key, type]) => {
    const [, row = type, comma = ""] = /^Table<([^,>]+)(,?)/.exec(type) ?? [];
    const isOurs = row !== type;
    const inserts = membersOf(`New${row}`);
    const columns = new Map([...membersOf(row)].map(([name, select]) => {
      if (!isOurs) return [name, select];
      return [
        name,
        comma === "" ? `view ${select}` : `${select} / ${inserts.get(name) ?? "never"}`,
      ];
    }));
    return [key, columns];
  }));
}

/** Lets the compiler compare each column in three ways. */
async function differencesIn(
  space: Workspace,
  ours: ReadonlyMap<string, Table>,
  theirs: ReadonlyMap<string, Table>,
): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  const head = `import type { Insertable, Selectable, Updateable } from "npm:kysely@0.28.17";
import type { Database } from "./ours.ts";
import type { DB } from "./theirs.ts";
type Same<A, B> = [A] extends [B] ? [B] extends [A] ? true : false : false;
type SameObject<A, B> = Same<[A, keyof A], [B, keyof B]>;
type All<A, B> = [
  SameObject<Selectable<A>, Selectable<B>>,
  SameObject<Insertable<A>, Insertable<B>>,
  SameObject<Updateable<A>, Updateable<B>>,
];
`;
  const lines: string[] = [];
  const places: Difference[] = [];
  for (const key of new Set([...ours.keys(), ...theirs.keys()])) {
    const [own, other] = [ours.get(key), theirs.get(key)];
    if (own === undefined || other === undefined) {
      differences.push({
        table: key,
        column: "",
        ours: own ? "here" : "",
        theirs: other ? "here" : "",
      });
      continue;
    }
    for (const column of new Set([...own.keys(), ...other.keys()])) {
      const place = {
        table: key,
        column,
        ours: own.get(column) ?? "",
        theirs: other.get(column) ?? "",
      };
      if (place.ours === "" || place.theirs === "") {
        differences.push(place);
        continue;
      }
      const [name, field] = [key, column].map((one) => JSON.stringify(one));
      const one = (of: string) => `Pick<${of}[${name}], ${field}>`;
      const type = `All<${one("Database")}, ${one("DB")}>`;
      lines.push(`export const t${lines.length}: ${type} = [true, true, true];`);
      places.push(place);
    }
  }
  await space.write("check.ts", `${head}${lines.join("\n")}\n`);
  await space.write(
    "deno.json",
    JSON.stringify({
      imports: {
        kysely: "npm:kysely@0.28.17",
        "postgres-interval": "npm:postgres-interval@^1.2.0",
      },
    }),
  );
  const { stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "check.ts"],
    cwd: space.path,
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder().decode(stderr);
  const first = head.split("\n").length;
  const wrong = new Set(
    [...text.matchAll(/check\.ts:(\d+):/g)].map(([, line]) => Number(line) - first),
  );
  if (/(?:ours|theirs)\.ts:\d+/.test(text)) throw new Error(`A module does not compile: ${text}`);
  return [...differences, ...[...wrong].sort((a, b) => a - b).map((index) => places[index]!)];
}

function page({ rows, left, reasons, unexplained, columns }: {
  readonly rows: readonly string[];
  readonly left: readonly string[];
  readonly reasons: ReadonlyMap<string, { readonly count: number; readonly example: string }>;
  readonly unexplained: readonly string[];
  readonly columns: number;
}): string {
  const date = new Date().toISOString().slice(0, 10);
  const differing = [...reasons].toSorted(([, a], [, b]) => b.count - a.count);
  const total = differing.reduce((sum, [, { count }]) => sum + count, 0);
  return `<!-- Written by 'deno run -A tools/compare_types.ts' on ${date}. Names of repositories. cspell:ignoreRegExp /^\\| \\S+\\/\\S+ .*$/gm -->

# Generated types and kysely-codegen

Folders of public repositories, each at the commit shown, applied to an empty database of a server.
\`irori types --live\` and kysely-codegen ${CODEGEN} then describe this database. The TypeScript compiler compares what each
column gives in a query, takes in an insert and takes in an update. The folders are not part of this repository.

**${rows.length} folders with ${columns} columns compile. ${
    columns - total
  } columns have the same types; ${total} differ for the reasons below, ${unexplained.length} for another one.**

| columns | reason | example: Irori; kysely-codegen |
| ------- | ------ | ------------------------------ |
${
    differing.map(([reason, { count, example }]) =>
      `| ${count} | ${reason} | \`${example.replaceAll("|", "\\|")}\` |`
    ).join("\n")
  }

"Same bytes" compares the output for files that are applied in this process (SQLite, or PGlite for PostgreSQL) with the
output for the server.

| repository | folder | dialect | tables and views | columns | different | same bytes |
| ---------- | ------ | ------- | ---------------- | ------- | --------- | ---------- |
${rows.join("\n")}
${
    left.length === 0 ? "" : `
Not compared:

| repository | folder | dialect | reason |
| ---------- | ------ | ------- | ------ |
${left.join("\n")}
`
  }`;
}

if (import.meta.main) await compare(Deno.args[0]!);
