import type { ParseError } from "jsonc-parser";
import { ConfigError } from "../../../../config/mod.ts";
import { basename, dirname, join } from "../../../../runtime/path.ts";
import { defined, quoted } from "../../../../text/mod.ts";
import type { Datasource } from "../../connect/datasource.ts";
import type { SqlEnvironment } from "../../types.ts";

/** The files of wrangler's configuration: the first in this folder or above, else the second, else the third. */
const FILES = ["wrangler.json", "wrangler.jsonc", "wrangler.toml"];

/** A D1 database, as wrangler's configuration describes it. */
export interface WranglerDatabase {
  readonly file: string;
  readonly name: string;
  readonly id?: string;
  /** By which the local database is known. */
  readonly localId: string;
  readonly account?: string;
  readonly folder: string;
  /** This folder and the pattern of the files in it that wrangler applies, both from its configuration on. */
  readonly migrations: { readonly dir: string; readonly pattern: string };
}

interface Section {
  readonly account_id?: string;
  readonly d1_databases?: readonly Entry[];
}

const TEXTS = [
  "binding",
  "database_name",
  "database_id",
  "preview_database_id",
  "migrations_dir",
  "migrations_pattern",
] as const;
type Entry = { readonly [name in (typeof TEXTS)[number]]?: string };

/**
 * The database of a datasource `d1:folder/name`: by its binding or its name, in the environment that `CLOUDFLARE_ENV` names,
 * else at the top level. The configuration is in that folder or the nearest one above.
 *
 * @throws {ConfigError} when there is no configuration, or not this database in it
 */
export async function databaseOf(
  { name: connection, database }: Pick<Datasource, "name" | "database">,
  { files, variable }: Pick<SqlEnvironment, "files" | "variable">,
): Promise<WranglerDatabase> {
  const wanted = basename(database);
  const refuse = (reason: string): never => {
    throw new ConfigError(`Cannot use the D1 database '${wanted}' of '${connection}': ${reason}`);
  };
  const folder = dirname(database);
  // A slip in the path must not lead to a database of a folder above.
  if (!(await files.stat(folder))?.isDirectory) refuse(`there is no folder '${folder}'`);
  const file = await configurationFor(folder, files) ??
    refuse(`expected a file 'wrangler.jsonc' or 'wrangler.toml' in '${folder}' or above`);
  const all = await readWrangler(file, await files.readTextFile(file)) as Section & {
    readonly env?: Readonly<Record<string, Section>>;
  };
  const chosen = variable("CLOUDFLARE_ENV") || undefined;
  const section = chosen === undefined ? all : all.env?.[chosen];
  if (![all, section ?? {}].every(isSection)) {
    throw new ConfigError(
      `Cannot read '${file}': expected 'account_id' as a string, and 'd1_databases' as a list of objects with strings`,
    );
  }
  const entries = section?.d1_databases ?? [];
  const found = entries.find(({ binding, database_name: name }) =>
    [binding, name].includes(wanted)
  );
  if (found) return described(found, wanted, file, section?.account_id ?? all.account_id);
  const place = chosen === undefined ? "" : ` under 'env.${chosen}' (CLOUDFLARE_ENV)`;
  const names = quoted(
    entries.flatMap(({ binding, database_name: name }) => binding ?? name ?? []),
  );
  return refuse(
    `expected its binding or name in 'd1_databases' of '${file}'${place}, found ${names}`,
  );
}

function described(
  { binding, database_name: name, database_id: id, ...entry }: Entry,
  wanted: string,
  file: string,
  account: string | undefined,
): WranglerDatabase {
  const dir = written(entry.migrations_dir ?? "migrations");
  return {
    file,
    name: name ?? wanted,
    localId: entry.preview_database_id ?? id ?? binding ?? wanted,
    folder: join(dirname(file), dir),
    migrations: { dir, pattern: written(entry.migrations_pattern ?? `${dir}/*.sql`) },
    ...defined({ id, account }),
  };
}

/** A relative path as wrangler compares it. */
function written(path: string): string {
  return path.replaceAll("\\", "/").replace(/^(?:\.\/)+(?=.)/, "").replace(/(?<=.)\/$/, "");
}

function isSection({ account_id: account, d1_databases: entries = [] }: Section): boolean {
  const isText = (value: unknown) => value === undefined || typeof value === "string";
  const isEntry = (entry: Entry) =>
    Object(entry) === entry && TEXTS.every((key) => isText(entry[key]));
  return isText(account) && Array.isArray(entries) && entries.every(isEntry);
}

async function configurationFor(
  folder: string,
  files: SqlEnvironment["files"],
): Promise<string | undefined> {
  for (const name of FILES) {
    for (let at = folder, last = ""; at !== last; [at, last] = [dirname(at), at]) {
      const path = join(at, name);
      if ((await files.stat(path))?.isFile) return path;
    }
  }
}

/** @throws {ConfigError} */
export async function readWrangler(file: string, text: string): Promise<unknown> {
  const refuse = (reason: string): never => {
    throw new ConfigError(`Cannot read '${file}': ${reason}`);
  };
  if (file.endsWith(".toml")) {
    const { parse, TomlError } = await import("smol-toml");
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      // Behind its first line are those of the file.
      const { message, line, column } = error;
      return refuse(`${message.split("\n")[0]} at line ${line}, column ${column}`);
    }
  }
  const { parse, printParseErrorCode } = await import("jsonc-parser");
  const errors: ParseError[] = [];
  const value = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const before = text.slice(0, first.offset).split("\n");
    const place = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
    return refuse(`${printParseErrorCode(first.error)} at ${place}`);
  }
  return Object(value) === value && !Array.isArray(value) ? value : refuse("expected an object");
}
