import { type Context, type Feature, main } from "../../cli/mod.ts";
import type { FeatureEntry, Journal, JournalEntry, Target } from "../../migrations/runner/mod.ts";
import { join, resolve } from "../../runtime/path.ts";
import type { Adoption } from "../adopt/adopt.ts";
import type { Proposal } from "./proposal.ts";

/** Runs a command as it would run with the configuration, which is there in memory alone. */
export async function tryCommand(
  { runtime, globals: { config: directory, json } }: Context,
  { text, unset }: Proposal,
  features: readonly Feature[],
  ...args: readonly string[]
) {
  const { files, env, stdout, stderr } = runtime;
  const folder = resolve(runtime.cwd(), directory);
  const shown = join(directory, "application.yml");
  const proposed = `proposed ${shown}`;
  const file = resolve(runtime.cwd(), shown);
  // With '--json' texts are on stderr.
  const told = json ? stderr : stdout;
  let printed = "";
  const own = over(runtime, {
    args: [...args, "--json", "--config", directory],
    env: over(env, { get: (name) => env.get(name) ?? unset.get(name)?.[1] }),
    files: over(files, {
      async stat(path) {
        const isFile = path === file;
        if (!isFile && path !== folder) return await files.stat(path);
        return { isFile, isDirectory: !isFile, size: text.length };
      },
      list: async (path) => path === folder ? ["application.yml"] : await files.list(path),
      readTextFile: async (path) => path === file ? text : await files.readTextFile(path),
    }),
    stderr: over(told, { write: (text) => told.write(text.replaceAll(shown, proposed)) }),
    stdout: over(stdout, { write: (text) => void (printed += text) }),
  });
  const code = await main(own, features);
  return { code, document: printed === "" ? undefined : JSON.parse(printed) as unknown };
}

type Adopted = Pick<Adoption, "rows"> & { readonly connection: string };

/** Makes files that `adopt` would record count as recorded. */
export function asAdopted(document: unknown): FeatureEntry {
  const { connections = [] } = Object(document) as { readonly connections?: readonly Adopted[] };
  const targets = (all: readonly Target[]) =>
    all.map((target): Target => {
      const { rows = [] } = connections.find((one) => one.connection === target.connection) ?? {};
      const paths = rows.flatMap(({ file, state }) => state === "adopted" && file ? [file] : []);
      const open: Target["open"] = async (signal) => {
        const session = await target.open(signal);
        return over(session, { journal: reading(session.journal, paths) });
      };
      return paths.length === 0 ? target : { ...target, open };
    });
  const moments = () => Promise.resolve({ feature: { name: "adopted", targets } });
  return { name: "adopted", of: "sql", moments };
}

function reading(journal: Journal, paths: readonly string[]): Journal {
  const read: Journal["read"] = async (asked, hashes) => {
    const state = await journal.read(asked, hashes);
    const adopted = paths.map((path): [string, JournalEntry] => {
      return [path, { path, applied: { hash: hashes?.get(path) ?? "", executedAt: new Date() } }];
    });
    return { ...state, entries: new Map([...adopted, ...state.entries]), isNew: false };
  };
  return over(journal, { list: () => journal.list(), read });
}

/** An object with some members replaced: it keeps the others where it is of a class, and getters. */
function over<T extends object>(object: T, members: Partial<T>): T {
  return Object.create(object, Object.getOwnPropertyDescriptors(members));
}
