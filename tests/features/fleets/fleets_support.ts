import { join } from "@std/path";
import { loadConfig } from "../../../src/config/load.ts";
import { type CommandOptions, runMigrations } from "../../../src/migrations/commands.ts";
import type { RunEvent, RunReport } from "../../../src/migrations/runner/mod.ts";
import { MIGRATION_FEATURES } from "../../../src/features/migrations.ts";
import { loadRuntime } from "../../../src/runtime/mod.ts";
import {
  type ClusterDouble,
  type DoubleOptions,
  startClusterDouble,
} from "../../servers/cluster_double.ts";

type Settings = Readonly<Record<string, unknown>>;

/** The output of a command, and its exit code. */
interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project in a folder of its own, whose files are applied to the clusters of the connection `logs`. */
export interface Project extends AsyncDisposable {
  readonly root: string;
  readonly events: RunEvent[];
  /** Writes files by their paths below `migrations`. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  migrate(more?: Partial<CommandOptions>): Promise<readonly RunReport[]>;
  options(more?: Partial<CommandOptions>): Promise<CommandOptions>;
  /** Runs the command line with `-m search`. */
  command(...args: string[]): Promise<Output>;
  spawn(...args: string[]): Deno.ChildProcess;
}

/** A template as a file. */
export function template(name: string, settings: Settings = {}): string {
  return JSON.stringify({ index_patterns: [`${name}-*`], template: { settings } });
}

export async function project(
  { name = "logs", more = [], ...settings }: Settings & {
    readonly each: Settings;
    readonly name?: string;
    readonly more?: readonly Settings[];
    readonly connection?: Settings;
  },
  files: Readonly<Record<string, string>>,
): Promise<Project> {
  const root = await Deno.makeTempDir({ prefix: "irori-fleet-" });
  const { each, connection = {}, ...rest } = settings;
  const search = [{ name, ...connection, migrations: { enabled: true, ...rest, each } }, ...more];
  const events: RunEvent[] = [];
  const write = async (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      const file = join(root, "migrations", path);
      await Deno.mkdir(join(file, ".."), { recursive: true });
      await Deno.writeTextFile(file, text);
    }
  };
  await Deno.mkdir(join(root, "migrations", name), { recursive: true });
  await write(files);
  await Deno.mkdir(join(root, "config"));
  const config = JSON.stringify({ search }, null, 2);
  await Deno.writeTextFile(join(root, "config", "application.yml"), config);
  const options = async (more: Partial<CommandOptions> = {}): Promise<CommandOptions> => {
    const runtime = await loadRuntime();
    return {
      config: await loadConfig({ runtime, directory: join(root, "config") }),
      runtime,
      features: MIGRATION_FEATURES,
      sqlPath: join(root, "migrations"),
      lockTimeoutMs: 1000,
      onEvent: (event) => events.push(event),
      ...more,
    };
  };
  const cli = new URL("../../../cli.ts", import.meta.url).href;
  const command = (args: readonly string[]) =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", cli, ...args, "-m", "search"],
      cwd: root,
      env: { NO_COLOR: "1" },
      stdout: "piped",
      stderr: "piped",
      stdin: "null",
    });
  return {
    root,
    events,
    write,
    options,
    migrate: async (more) => await runMigrations("search", await options(more)),
    spawn: (...args) => command(args).spawn(),
    async command(...args) {
      const { code, stdout, stderr } = await command(args).output();
      const [out = "", err = ""] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
      return { code, stdout: out, stderr: err };
    },
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

/** Doubles of clusters by their names. */
export function clusters(
  names: readonly string[],
  optionsOf: (name: string) => DoubleOptions = () => ({}),
): AsyncDisposable & Readonly<Record<string, ClusterDouble>> {
  const doubles = names.map((name) => [name, startClusterDouble(optionsOf(name))] as const);
  return Object.assign(Object.fromEntries(doubles), {
    async [Symbol.asyncDispose]() {
      await Promise.all(doubles.map(([, double]) => double.stop()));
    },
  });
}

/** `eu1 migrated`; the connection itself where a report is of no cluster. */
export function outcomesOf(reports: readonly RunReport[]): string[] {
  return reports.map(({ connection, part, outcome, error }) =>
    part === undefined ? `${connection} ${error ? "failed" : "done"}` : `${part} ${outcome}`
  );
}

/** Requests that change something, without those of the history: `PUT /_index_template/a`. */
export function writesTo({ requests }: ClusterDouble): string[] {
  return requests.map(({ line }) => line)
    .filter((line) => /^(?:PUT|POST|DELETE) /.test(line) && !/framework_|_mget|_bulk/.test(line));
}
