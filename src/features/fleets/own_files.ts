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
  for (const folder of await files.list(root).catch(() => [])) {
    if (!folder.startsWith(`${connection}.`)) continue;
    if ((await files.stat(join(root, folder)))?.isDirectory !== true) continue;
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

/** Shared files and those of one cluster, in the order of their paths. @throws {InvalidFilesError} for a path of both */
export async function withOwn(
  shared: readonly MigrationFile[],
  read: OwnFiles,
  cluster: string,
  label: string,
): Promise<readonly MigrationFile[]> {
  const own = await read(cluster, label);
  if (own.length === 0) return shared;
  const paths = new Set(shared.map(({ path }) => path));
  const problems = own.filter(({ path }) => paths.has(path)).map(({ path }): FileProblem => {
    const message = "The file is in the folder of all clusters, too: rename or delete one of them";
    return { severity: "error", path, message };
  });
  if (problems.length > 0) throw new InvalidFilesError(problems, label);
  return [...shared, ...own].sort((a, b) => compareCodePoints(a.path, b.path));
}
