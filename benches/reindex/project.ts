import { fromFileUrl, join } from "@std/path";
import { execute } from "../process.ts";
import { indexBody, type Pieces } from "./documents.ts";

/** A project of one connection and one index file; connection, file and alias have one name. */
export interface Project {
  /** Says in the file what the index has to be. */
  change(pieces: Pieces): Promise<void>;
  /** Runs `migrate` in a process of its own. @throws {Error} when it fails, or does nothing to the index */
  migrate(): Promise<Migrated>;
}

export interface Migrated {
  /** The whole process. */
  readonly milliseconds: number;
  readonly outcome: string;
  /** The note of the file; empty where there is none. */
  readonly note: string;
}

/** Writes the configuration of a project that copies an index when its file changes. */
export async function createProject(folder: string, url: string, name: string): Promise<Project> {
  const root = join(folder, name);
  const files = join(root, "migrations", name);
  await Deno.mkdir(files, { recursive: true });
  await Deno.mkdir(join(root, "config"));
  const migrations = { enabled: true, index_changes: "reindex" };
  const config = JSON.stringify({ search: [{ name, hosts: [url], migrations }] });
  await Deno.writeTextFile(join(root, "config", "application.yml"), config);
  const args = ["-c", join(root, "config"), "--sqlPath", join(root, "migrations"), "-m", "search"];
  return {
    async change(pieces) {
      const text = JSON.stringify(indexBody(pieces), null, 2);
      await Deno.writeTextFile(join(files, `${name}.json`), text);
    },
    async migrate() {
      const { milliseconds, output } = await execute([...CLI, ...args, "--json"]);
      const { outcome, note = "" } = JSON.parse(output).connections[0].results[0];
      return { milliseconds, outcome, note };
    },
  };
}

const CLI = [
  ...[Deno.execPath(), "run", "-A", "--no-check", "--quiet"],
  fromFileUrl(new URL("../../cli.ts", import.meta.url)),
];
