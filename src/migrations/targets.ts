import { resolve } from "@std/path";
import { type Config, ConfigError } from "../config/mod.ts";
import type { RunOptions, Target } from "./runner/mod.ts";
import { httpClient } from "../runtime/client.ts";
import type { Runtime } from "../runtime/mod.ts";
import {
  readSearchConnections,
  type SearchConnection,
  type SearchEnvironment,
  searchTarget,
} from "./search/mod.ts";
import { readDatasources, type SqlEnvironment, sqlTarget } from "./sql/mod.ts";
import { patient } from "./patient.ts";

/** The two kinds of migrations. */
export type MigrationType = "sql" | "search";

/** What the targets of a configuration are made with. */
export interface TargetOptions extends Pick<RunOptions, "onEvent"> {
  /** What the connections are read from. */
  readonly config: Config;
  /** The process, its files and its network. */
  readonly runtime: Runtime;
  /** Only the connection of this name. */
  readonly connection?: string;
  /** How long to wait for another run, in milliseconds. @default 60000 */
  readonly lockTimeoutMs?: number;
  /** How long to wait for a server to come up, in milliseconds. @default 0 */
  readonly waitMs?: number;
}

const LOCK_TIMEOUT_MS = 60_000;

/**
 * A target for each enabled connection, in the order of the configuration.
 *
 * @throws {ConfigError} when a connection is wrong, or none has the name that is asked for
 */
export function targetsOf(type: MigrationType, options: TargetOptions): readonly Target[] {
  const targets = type === "search" ? searchTargets(options) : sqlTargets(options);
  const { waitMs, onEvent } = options;
  if (!waitMs) return targets;
  return targets.map((target) => {
    const { connection } = target;
    const notice = (message: string) => onEvent?.({ type: "notice", connection, message });
    return patient(target, waitMs, notice);
  });
}

function searchTargets(options: TargetOptions): readonly Target[] {
  const { config, runtime } = options;
  const connections = chosen("search", readSearchConnections(config), options);
  return connections.filter(({ migrationsEnabled }) => migrationsEnabled).map((connection) => {
    const environment: SearchEnvironment = {
      ...shared(options, connection.name),
      openClient: (settings) => openClient(runtime, config.root, settings),
    };
    return searchTarget(connection, environment) as Target;
  });
}

function sqlTargets(options: TargetOptions): readonly Target[] {
  const { config, runtime } = options;
  const datasources = chosen("datasource", readDatasources(config), options);
  return datasources.filter(({ migrations }) => migrations.enabled).map((datasource) => {
    const environment: SqlEnvironment = {
      ...shared(options, datasource.name),
      files: runtime.files,
    };
    return sqlTarget(datasource, environment) as Target;
  });
}

function chosen<T extends { readonly name: string }>(
  list: string,
  all: readonly T[],
  { connection }: TargetOptions,
): readonly T[] {
  if (connection === undefined) return all;
  const found = all.filter(({ name }) => name === connection);
  if (found.length > 0) return found;
  const names = all.map(({ name }) => `'${name}'`).join(", ") || "none";
  throw new ConfigError(`There is no connection '${connection}' under '${list}': found ${names}`);
}

function shared({ runtime, onEvent, lockTimeoutMs }: TargetOptions, connection: string) {
  const run = crypto.randomUUID().slice(0, 8);
  return {
    owner: `${runtime.hostname}-${runtime.pid}-${run}`,
    lockTimeoutMs: lockTimeoutMs ?? LOCK_TIMEOUT_MS,
    onNotice: (message: string, file?: string) => {
      onEvent?.({ type: "notice", connection, message, ...(file !== undefined && { file }) });
    },
  };
}

async function openClient(runtime: Runtime, root: string, connection: SearchConnection) {
  const { verifyTls, proxy } = connection;
  const pem = async (path: string | undefined) => {
    return path === undefined ? undefined : await runtime.files.readTextFile(resolve(root, path));
  };
  const [caCert, clientCert, clientKey] = await Promise.all(
    [connection.caCert, connection.clientCert, connection.clientKey].map(pem),
  );
  return httpClient(runtime, { verifyTls, caCert, clientCert, clientKey, proxy });
}
