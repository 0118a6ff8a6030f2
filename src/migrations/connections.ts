import { relative, resolve } from "../runtime/path.ts";
import { quoted } from "../text/mod.ts";
import { type Config, ConfigError } from "../config/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import type { SqlOffer } from "./sql/mod.ts";
import {
  type AwsCredentialsProvider,
  ConnectionError,
  discover,
  type FeatureEntry,
  type Features,
  loadFeatures,
  loadPem,
  type MigrationFile,
  retry,
  type RunOptions,
  type Session,
  type Target,
  type TargetPart,
  type TargetSelection,
} from "./runner/mod.ts";

export type MigrationType = "sql" | "search";

export function listKey(type: MigrationType): "search" | "datasource" {
  return type === "search" ? "search" : "datasource";
}

/** @throws {ConfigError} where a profile has a connection and not `migrations.enabled`: it would seem to have been migrated */
export function nothingToDo(type: MigrationType, { config, connection }: Chosen): string {
  const list = listKey(type);
  const sections = sectionsOf(list, { config, connection });
  if (sections.some((one) => one.boolean("migrations.enabled"))) {
    return "Nothing to do: there are no tenants";
  }
  refuseForgottenSwitch(sections);
  const names = quoted(sections.map((section) => section.string("name")!), "");
  const place = connection === undefined ? "" : ` '${connection}'`;
  if (names !== "") {
    return `Nothing to do: no connection${place} under '${list}' has 'migrations.enabled: true' (found ${names})`;
  }
  const other = type === "sql" ? "search" : "sql";
  const isOther = config.keys().includes(listKey(other));
  const hint = isOther ? ` (found '${listKey(other)}', which '-m ${other}' migrates)` : "";
  return `Nothing to do: the configuration has no '${list}'${hint}`;
}

function refuseForgottenSwitch(sections: readonly Config[]): void {
  const forgotten = sections.find((one) => one.boolean("migrations.enabled") === undefined);
  const error = forgotten?.error("", NO_SWITCH);
  if (error instanceof ConfigError && /\bapplication-[^\\/]+$/.test(error.file ?? "")) throw error;
}

const NO_SWITCH = "Expected 'migrations.enabled: true' to migrate it, or 'false', found neither";

/** As people see it: both databases of D1 have the same name, and the URL says which it is. */
export function titleOf(type: MigrationType, { config }: Chosen, connection: string): string {
  const [section] = type === "sql" ? sectionsOf("datasource", { config, connection }) : [];
  const url = section?.string("migrations.url") ?? section?.string("url") ?? "";
  if (!/^d1:/i.test(url)) return connection;
  return `${connection} (${url.includes("?remote") ? "Cloudflare" : "local"})`;
}

function sectionsOf(list: string, { config, connection }: Chosen): readonly Config[] {
  return config.sections(list)
    .filter((one) => connection === undefined || one.string("name") === connection);
}

type Chosen = Pick<TargetOptions, "config" | "connection">;

interface TargetOptions extends TargetSelection, Pick<RunOptions, "onEvent"> {
  readonly runtime: Runtime;
  readonly features?: readonly FeatureEntry[];
  readonly connection?: string | undefined;
  readonly lockTimeoutMs?: number | undefined;
  readonly waitMs?: number | undefined;
  /** Whether work that goes on in the background of a cluster is followed to its end. @default true */
  readonly followTasks?: boolean;
  readonly using?: Readonly<Record<string, object>>;
  /** Credentials that requests are signed with, by the names of search connections. @default the environment */
  readonly credentials?: Readonly<Record<string, AwsCredentialsProvider>> | undefined;
}

export interface ConnectionsOptions extends TargetOptions {
  readonly sqlPath: string;
}

export interface Finding<T> {
  readonly connection: string;
  readonly part?: string | undefined;
  /** All of those that it is the same for. */
  readonly parts?: readonly string[];
  readonly found: T;
}

const LOCK_TIMEOUT_MS = 60_000;

/** Sends nothing. @throws {ConfigError | MissingFolderError | InvalidFilesError} */
export async function connectionsOf(
  type: MigrationType,
  options: ConnectionsOptions,
): Promise<readonly TargetPart[]> {
  return await Array.fromAsync(
    await targetsOf(type, options),
    async (target) => ({ target, files: await filesOf(target, options) }),
  );
}

export async function filesOf(
  target: Pick<Target, "connection" | "extension" | "folder" | "withValues">,
  options: ConnectionsOptions,
): Promise<readonly MigrationFile[]> {
  return await target.withValues(await filesIn(target, options));
}

/** Sends nothing. */
export async function partsOf(
  connection: TargetPart,
  options: ConnectionsOptions,
): Promise<readonly TargetPart[]> {
  const { target } = connection;
  const many = await target.features.first((one) => one.many?.(target));
  return await many?.parts(connection, options) ?? [connection];
}

/** The files as they are, without what the connection fills into them. */
export async function filesIn(
  target: Pick<Target, "connection" | "extension" | "folder">,
  options: Pick<ConnectionsOptions, "runtime" | "sqlPath" | "onEvent">,
): Promise<readonly MigrationFile[]> {
  const { connection, extension } = target;
  const { runtime, onEvent } = options;
  const folder = await folderOf(target, options);
  const { files, ignored, notices } = await discover(runtime.files, folder, connection, extension);
  for (const file of ignored) onEvent?.({ type: "ignored", connection, file });
  for (const notice of notices) onEvent?.({ type: "notice", connection, ...notice });
  return files;
}

export async function folderOf(
  { folder }: Pick<Target, "folder">,
  { runtime, sqlPath }: Pick<ConnectionsOptions, "runtime" | "sqlPath">,
): Promise<string> {
  return await folder(resolve(runtime.cwd(), sqlPath));
}

/** The folders of files by connections, and the own files of parts, relative to the working directory. @throws {ConfigError} */
export async function foldersOf(
  type: MigrationType,
  options: ConnectionsOptions,
): Promise<Readonly<Record<string, string>>> {
  const places: Record<string, string> = {};
  const cwd = options.runtime.cwd();
  for (const target of await targetsOf(type, options)) {
    places[target.connection] = relative(cwd, await folderOf(target, options));
    // The command itself says why parts cannot be read.
    const parts = await partsOf({ target, files: [] }, options).catch(() => []);
    for (const { target: { connection }, files } of parts) {
      for (const { path, location } of files) {
        places[`${connection}/${path}`] = relative(cwd, location);
      }
    }
  }
  return places;
}

/** Loads what {@linkcode targetsOf} needs, for instance while the configuration is read. */
export async function loadEngines(type: MigrationType, features: readonly FeatureEntry[]) {
  const engines = type === "search" ? import("./search/mod.ts") : import("./sql/mod.ts");
  await Promise.all([engines, loadFeatures(features, type)]);
}

export async function targetsOf(
  type: MigrationType,
  options: TargetOptions,
): Promise<readonly Target[]> {
  const { waitMs, onEvent } = options;
  const features = await loadFeatures(options.features ?? [], type);
  if (options.only !== undefined && !features.fills("many")) {
    throw new ConfigError(`No connection here has tenants, and so none '${options.only[0]}'`);
  }
  let targets = await (type === "search" ? searchTargets : sqlTargets)(options, features);
  await features.each((one) => {
    targets = one.targets?.(targets, options) ?? targets;
  });
  if (!waitMs) return targets;
  return targets.map((target) =>
    waitUntilReachable(target, waitMs, noticesOf(target.connection, onEvent))
  );
}

export function noticesOf(connection: string, onEvent: RunOptions["onEvent"]) {
  return (message: string, file?: string): void =>
    onEvent?.({ type: "notice", connection, message, ...(file !== undefined && { file }) });
}

/** A target that waits for its server to come up. One that refuses who asks is not waited for. */
export function waitUntilReachable(
  target: Target,
  waitMs: number,
  onNotice: (message: string) => void,
  pauseMs = 500,
): Target {
  const open = async (signal?: AbortSignal): Promise<Session> => {
    let last: ConnectionError | undefined;
    const onWait = () => onNotice(`Waiting up to ${waitMs / 1000} s: ${last?.message}`);
    const session = await retry(async () => {
      let opened: Session | undefined;
      try {
        opened = await target.open(signal);
        await opened.journal.read([]);
        return opened;
      } catch (error) {
        await opened?.close();
        if (!(error instanceof ConnectionError) || error.refused) throw error;
        last = error;
      }
    }, { timeoutMs: waitMs, firstMs: pauseMs, longestMs: pauseMs, onWait, signal });
    if (session === undefined) throw last;
    return session;
  };
  return { ...target, open };
}

async function searchTargets(
  options: TargetOptions,
  features: Features,
): Promise<readonly Target[]> {
  const { readSearchConnections, searchTarget } = await import("./search/mod.ts");
  const { config, runtime, followTasks, credentials = {} } = options;
  const connections = chosen("search", readSearchConnections(config, features), options);
  return connections.filter(({ migrationsEnabled }) => migrationsEnabled).map((connection) =>
    searchTarget(connection, {
      ...shared(options, features, connection.name),
      variable: (name) => runtime.env.get(name),
      credentials: credentials[connection.name],
      followTasks,
      openClient: async ({ verifyTls, proxy, ...pem }) => {
        const { httpClient } = await import("../runtime/client.ts");
        const [caCert, clientCert, clientKey] = await Promise.all(
          [pem.caCert, pem.clientCert, pem.clientKey].map((text) => loadPem(text, runtime.files)),
        );
        return httpClient(runtime, { verifyTls, caCert, clientCert, clientKey, proxy });
      },
    })
  );
}

async function sqlTargets(options: TargetOptions, features: Features): Promise<readonly Target[]> {
  const { addressesOf, readDatasources, sqlTarget } = await import("./sql/mod.ts");
  const { config, runtime: { cwd, env, files, execute }, using, signal } = options;
  const variable = (name: string) => env.get(name);
  const used = using && await addressesOf(using, cwd());
  const datasources = chosen("datasource", readDatasources(config, used, features), options);
  return datasources.filter(({ migrations }) => migrations.enabled).map((datasource) => {
    const own = { files, execute, variable, signal, using: using?.[datasource.name] };
    return sqlTarget(datasource, { ...shared(options, features, datasource.name), ...own });
  });
}

/** The enabled datasources of a configuration, in its order. @throws {ConfigError} */
export async function sqlConnections(options: TargetOptions): Promise<readonly SqlOffer[]> {
  const { SQL } = await import("./sql/mod.ts");
  return (await targetsOf("sql", { ...options, only: undefined })).map((target) => SQL.of(target)!);
}

function chosen<T extends { readonly name: string }>(
  list: string,
  all: readonly T[],
  { connection }: TargetOptions,
): readonly T[] {
  if (connection === undefined) return all;
  const found = all.filter(({ name }) => name === connection);
  if (found.length > 0) return found;
  const names = quoted(all.map(({ name }) => name));
  throw new ConfigError(`There is no connection '${connection}' under '${list}': found ${names}`);
}

function shared(
  { runtime, onEvent, lockTimeoutMs = LOCK_TIMEOUT_MS }: TargetOptions,
  features: Features,
  connection: string,
) {
  return {
    owner: `${runtime.hostname}-${runtime.pid}-${crypto.randomUUID().slice(0, 8)}`,
    lockTimeoutMs,
    features,
    onNotice: noticesOf(connection, onEvent),
  };
}
