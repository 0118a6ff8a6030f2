import { join } from "@std/path";
import { createConfig } from "../../../src/config/mod.ts";
import type { ConfigMap } from "../../../src/config/types.ts";
import { type CommandOptions, runMigrations } from "../../../src/migrations/commands.ts";
import type { RunEvent, RunReport } from "../../../src/migrations/runner/mod.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { MIGRATION_FEATURES } from "../../../src/features/migrations.ts";
import { loadRuntime } from "../../../src/runtime/mod.ts";

/** A project in a folder of its own, whose files are applied to the tenants of the datasource `shop`. */
export interface Project extends AsyncDisposable {
  readonly root: string;
  readonly events: RunEvent[];
  write(files: Readonly<Record<string, string>>): Promise<void>;
  options(more?: Partial<CommandOptions>): Promise<CommandOptions>;
  migrate(more?: Partial<CommandOptions>): Promise<readonly RunReport[]>;
  /** Runs the command line. */
  command(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** Starts the command line. */
  spawn(...args: string[]): Deno.ChildProcess;
}

/** The URL of a datasource, with its credentials. */
export function urlOf({ kind, host, port, username, password, database }: Datasource): string {
  const user = `${username}:${password?.reveal() ?? ""}@`;
  return `${kind}://${user}${host}:${port}/${database}`;
}

export async function project(
  settings: ConfigMap & { readonly each: ConfigMap },
  files: Readonly<Record<string, string>>,
): Promise<Project> {
  const root = await Deno.makeTempDir({ prefix: "irori-tenants-" });
  const { each, ...rest } = settings;
  const datasource = [{ name: "shop", ...rest, migrations: { enabled: true, lint: "off", each } }];
  const events: RunEvent[] = [];
  const write = async (files: Readonly<Record<string, string>>) => {
    for (const [path, sql] of Object.entries(files)) {
      const file = join(root, "migrations", "shop", path);
      await Deno.mkdir(join(file, ".."), { recursive: true });
      await Deno.writeTextFile(file, sql);
    }
  };
  await write(files);
  await Deno.mkdir(join(root, "config"));
  const config = JSON.stringify({ datasource }, null, 2);
  await Deno.writeTextFile(join(root, "config", "application.yml"), config);
  const options = async (more: Partial<CommandOptions> = {}): Promise<CommandOptions> => ({
    config: createConfig({ datasource }, { root }),
    runtime: await loadRuntime(),
    features: MIGRATION_FEATURES,
    sqlPath: join(root, "migrations"),
    onEvent: (event) => events.push(event),
    ...more,
  });
  const cli = new URL("../../../cli.ts", import.meta.url).href;
  const command = (args: readonly string[]) =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", cli, ...args],
      cwd: root,
      env: { NO_COLOR: "1" },
      stdout: "piped",
      stderr: "piped",
    });
  return {
    root,
    events,
    write,
    options,
    migrate: async (more) => await runMigrations("sql", await options(more)),
    spawn: (...args) => command(args).spawn(),
    async command(...args) {
      const { code, stdout, stderr } = await command(args).output();
      const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
      return { code, stdout: out!, stderr: err! };
    },
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

/** `acme migrated`, and `shop applied` of the shared files. */
export function outcomesOf(reports: readonly RunReport[]): string[] {
  return reports.map(({ connection, part, outcome, error }) =>
    part === undefined ? `${connection} ${error ? "failed" : "done"}` : `${part} ${outcome}`
  );
}

/** Texts of the notices. */
export function noticesOf(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => event.type === "notice" ? event.message : []);
}
