import { type Context, type Feature, main } from "../../cli/mod.ts";
import type { FeatureEntry, Journal, JournalEntry, Target } from "../../migrations/runner/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { join, resolve } from "../../runtime/path.ts";
import type { Adoption } from "../adopt/adopt.ts";
import type { Proposal } from "./proposal.ts";

/** Runs a command as it would run with the configuration, which is there in memory alone. */
export async function tryCommand(
  { runtime, globals: { config: directory, json } }: Context,
  { text, values }: Proposal,
  features: readonly Feature[],
  ...args: readonly string[]
) {
  const { files, env, stdout, stderr } = runtime;
  const folder = resolve(runtime.cwd(), directory);
  const shown = join(directory, "application.yml");
  const file = resolve(runtime.cwd(), shown);
  // With '--json' texts are on stderr.
  const told = json ? stderr : stdout;
  let printed = "";
  const own: Partial<Runtime> = {
    args: [...args, "--json", "--config", directory],
    env: { ...env, get: (name) => env.get(name) ?? values.get(name) },
    files: {
      ...files,
      async stat(path) {
        const isFile = path === file;
        return isFile || path === folder
          ? { isFile, isDirectory: !isFile, size: text.length }
          : await files.stat(path);
      },
      list: async (path) => path === folder ? ["application.yml"] : await files.list(path),
      readTextFile: async (path) => path === file ? text : await files.readTextFile(path),
    },
    stderr: { ...told, write: (text) => told.write(text.replaceAll(shown, `proposed ${shown}`)) },
    stdout: { ...stdout, write: (text) => printed += text },
  };
  const code = await main(Object.assign(Object.create(runtime), own), features);
  return { code, document: printed === "" ? undefined : JSON.parse(printed) as unknown };
}

/** Makes files that `adopt` would record count as recorded. */
export function asAdopted(document: unknown): FeatureEntry {
  const { connections = [] } = Object(document) as {
    readonly connections?: readonly (Pick<Adoption, "rows"> & { readonly connection: string })[];
  };
  const targets = (all: readonly Target[]) =>
    all.map((target): Target => {
      const { rows = [] } = connections.find((one) => one.connection === target.connection) ?? {};
      const paths = rows.flatMap(({ file, state }) => state === "adopted" && file ? [file] : []);
      return paths.length === 0 ? target : {
        ...target,
        async open(signal) {
          const session = await target.open(signal);
          return Object.create(session, { journal: { value: reading(session.journal, paths) } });
        },
      };
    });
  return {
    name: "adopted",
    of: "sql",
    moments: () => Promise.resolve({ feature: { name: "adopted", targets } }),
  };
}

/** A plan asks nothing else of a journal. */
function reading(journal: Journal, paths: readonly string[]): Journal {
  return {
    list: () => journal.list(),
    async read(asked, hashes) {
      const state = await journal.read(asked, hashes);
      const executedAt = new Date();
      const adopted = paths.map((path) => {
        return [path, { path, applied: { hash: hashes?.get(path) ?? "", executedAt } }] as const;
      });
      const entries = new Map<string, JournalEntry>([...adopted, ...state.entries]);
      return { ...state, entries, isNew: false };
    },
  } as Pick<Journal, "list" | "read"> as Journal;
}
