import { join } from "@std/path";
import { createRequire } from "node:module";
import { DatabaseSync } from "node:sqlite";
import { CLI, type Outcome, type Workspace, workspace } from "../../../e2e/command_line.ts";
import { edgeTools, wrangler } from "../../../runtimes/executables.ts";

export const ID = "aaaaaaaa-0000-0000-0000-000000000001";

/** The name of the local file for {@linkcode ID}, as wrangler has made it. */
const OBJECT = "8bc27a3e67ebd574f2ea4d8712fc4edad898012ae04d08a535d35158ec7f4006";
const STATE = ".wrangler/state/v3/d1";

/** A binding, as Miniflare gives it. */
export interface Binding {
  prepare(sql: string): {
    all(): Promise<{ readonly results: Record<string, unknown>[] }>;
    run(): Promise<unknown>;
  };
}

/** A project of wrangler with one database, `DB` or `main`, and the configuration of the library beside it. */
export interface Project extends Workspace {
  /** Runs `wrangler d1` in it, without the credentials and the settings of the user. */
  wrangler(...args: readonly string[]): Promise<Outcome>;
  /** Starts the command line as a process, whose output can be read. */
  spawn(...args: readonly string[]): Deno.ChildProcess;
  /** Rows as wrangler reads them from the local database. */
  execute(sql: string): Promise<Record<string, unknown>[]>;
  /** Rows of the file that wrangler keeps; the statement may change it. */
  query(sql: string): Record<string, unknown>[];
  /** The local database as `wrangler dev` has it. */
  miniflare(): Promise<{ readonly binding: Binding } & AsyncDisposable>;
}

/** @param database what wrangler's configuration says of the database, apart from its binding, name and id */
export async function project(
  tree: Readonly<Record<string, string>> = {},
  { url = "d1:DB", database = {} }: { readonly url?: string; readonly database?: object } = {},
): Promise<Project> {
  const entry = { binding: "DB", database_name: "main", database_id: ID, ...database };
  const config = { name: "try", compatibility_date: "2025-09-01", d1_databases: [entry] };
  const space = await workspace({
    "wrangler.jsonc": JSON.stringify(config),
    "config/application.yml":
      `datasource:\n  - name: main\n    url: ${url}\n    migrations: { enabled: true }\n`,
    ...tree,
  });
  const { path } = space;
  const file = join(path, STATE, "miniflare-D1DatabaseObject", `${OBJECT}.sqlite`);
  const runWrangler = (...args: readonly string[]) => wranglerIn(path, args);
  return {
    ...space,
    wrangler: runWrangler,
    spawn: (...args) =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--quiet", "--no-check", CLI, ...args],
        cwd: path,
        env: { NO_COLOR: "1" },
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      }).spawn(),
    async execute(sql) {
      const { code, stdout, stderr } = await runWrangler(
        ...["execute", "DB", "--local", "--json", "--command", sql],
      );
      if (code !== 0) throw new Error(stdout + stderr);
      return JSON.parse(stdout).at(-1).results;
    },
    query(sql) {
      // Opening it would make it.
      Deno.statSync(file);
      using connection = new DatabaseSync(file);
      connection.exec("PRAGMA busy_timeout = 5000");
      return connection.prepare(sql).all().map((row) => ({ ...row }));
    },
    async miniflare() {
      return await miniflare({ d1Databases: { DB: ID }, d1Persist: join(path, STATE) });
    },
  };
}

/** Local D1 in this process, by default in memory. */
export async function miniflare(
  options: object = { d1Databases: ["DB"] },
): Promise<{ readonly binding: Binding } & AsyncDisposable> {
  const module = join(await edgeTools(), "node_modules/miniflare/dist/src/index.js");
  const { Miniflare } = createRequire(module)(module);
  const running = new Miniflare({
    ...{ modules: true, script: "export default {}", cf: false },
    ...options,
  });
  return {
    binding: await running.getD1Database("DB"),
    [Symbol.asyncDispose]: () => running.dispose(),
  };
}

/** Runs `wrangler d1` in a folder. @param env with the credentials of an account */
export async function wranglerIn(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const [node = "", ...start] = await wrangler();
  const { code, stdout, stderr } = await new Deno.Command(node, {
    args: [...start, "d1", ...args],
    cwd: folder,
    stdin: "null",
    env: {
      CI: "1",
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      NO_COLOR: "1",
      WRANGLER_SEND_METRICS: "false",
      ...env,
    },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}
