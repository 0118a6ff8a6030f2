import { ConfigError } from "../../config/mod.ts";
import { filesIn } from "../../migrations/connections.ts";
import {
  compareCodePoints,
  type FileProblem,
  InvalidFilesError,
  type ManyOptions,
  type MigrationFile,
  type Target,
} from "../../migrations/runner/mod.ts";
import { join, resolve } from "../../runtime/path.ts";
import { nearest } from "../../text/mod.ts";

type OwnFiles = (cluster: string, label: string) => Promise<readonly MigrationFile[]>;

/** Reads folders such as `logs.eu1` beside `logs`. @throws {ConfigError} for one that is of no cluster */
export async function ownFilesOf(
  { connection, extension }: Target,
  clusters: readonly string[],
  options: ManyOptions,
): Promise<OwnFiles> {
  const { config, runtime: { cwd, files }, sqlPath } = options;
  const root = resolve(cwd(), sqlPath);
  const others = ["search", "datasource"].flatMap((list) =>
    config.sections(list).map((section) => section.string("name"))
  );
  const found = new Set<string>();
  // An application that only asks for the health of clusters needs no files.
  for (const folder of await files.stat(root) ? await files.list(root) : []) {
    if (!folder.startsWith(`${connection}.`)) continue;
    // A link that leads nowhere is a mistake, which the reading of its files tells.
    if ((await files.stat(join(root, folder)))?.isDirectory === false) continue;
    const name = folder.slice(connection.length + 1);
    const isConnection = others.includes(folder);
    if (clusters.includes(name) === isConnection) {
      const [near] = nearest(name, clusters);
      const hint = near === undefined ? "rename or delete it" : `did you mean '${near}'?`;
      const whose = isConnection
        ? `of the cluster '${name}' and of another connection: rename one of the two`
        : `of no cluster, since '${connection}' has no '${name}': ${hint}`;
      throw new ConfigError(`The folder '${join(sqlPath, folder)}' is ${whose}`);
    }
    if (!isConnection) found.add(name);
  }
  return async (cluster, label) => {
    if (!found.has(cluster)) return [];
    const folder = () => Promise.resolve(join(root, `${connection}.${cluster}`));
    return await filesIn({ connection: label, extension, folder }, options);
  };
}

export function inOrder(files: readonly MigrationFile[]): readonly MigrationFile[] {
  return files.toSorted((a, b) => compareCodePoints(a.path, b.path));
}

/** @throws {InvalidFilesError} for a path in both folders */
export function refuseTwice(files: readonly MigrationFile[], label: string): void {
  const problems = files.filter(({ path }, index) => path === files[index - 1]?.path)
    .map(({ path }): FileProblem => ({
      ...{ severity: "error", path },
      message: "The file is in the folder of all clusters, too: rename or delete one of them",
    }));
  if (problems.length > 0) throw new InvalidFilesError(problems, label);
}
