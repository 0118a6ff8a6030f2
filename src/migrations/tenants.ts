/** The commands on the tenants of a connection. */
import { errorOf } from "../text/mod.ts";
import type { Connection, ConnectionsOptions, Finding } from "./connections.ts";
import {
  inParallel,
  run,
  type RunEvent,
  type RunOptions,
  type RunReport,
  type TenantOutcome,
  type Tenants,
} from "./runner/mod.ts";

type Options = RunOptions & ConnectionsOptions;

/**
 * Applies the shared files, then all others to each tenant. The failure of a tenant stops no other one, and that of a
 * shared file all of them.
 */
export async function runTenants(
  connection: Connection,
  options: Options,
): Promise<readonly RunReport[]> {
  const { signal, onEvent } = options;
  const { connection: name } = connection.target;
  let tenants: Tenants;
  try {
    tenants = await openTenants(connection, options);
  } catch (thrown) {
    const error = errorOf(thrown);
    if (signal?.aborted) return [{ connection: name, results: [], requests: 0, stopped: true }];
    return [{ connection: name, results: [], requests: 0, stopped: false, error }];
  }
  try {
    const [shared, ...each] = parts(connection, tenants);
    const first = shared && [await run(shared.target, shared.files, options)];
    if (first?.some(({ error, stopped }) => error || stopped)) return first;
    let position = 0;
    const own = { ...options, onEvent: once(onEvent) };
    const reports = await inParallel(each, tenants.atOnce, async (tenant) => {
      const report = await runTenant(tenant, tenants, own);
      const { connection, results, outcome } = report;
      position++;
      onEvent?.({ type: "tenant", connection, outcome, results, position, total: each.length });
      return report;
    });
    return [...first ?? [], ...reports];
  } finally {
    await tenants.close();
  }
}

async function runTenant(
  { target, files, tenant = "" }: Connection,
  tenants: Tenants,
  options: Options,
): Promise<RunReport & { readonly outcome: TenantOutcome }> {
  const { connection } = target;
  if (options.signal?.aborted || tenants.isUnreachable()) {
    const nothing = { results: [], requests: 0, stopped: true } as const;
    return { connection, tenant, ...nothing, outcome: "not run" };
  }
  const { error, ...rest } = await run(target, files, options);
  const results = rest.results.filter(({ outcome }) => outcome !== "skipped");
  const report = { ...rest, tenant, results };
  if (error === undefined) {
    const outcome = report.stopped ? "not run" : results.length > 0 ? "migrated" : "unchanged";
    return { ...report, outcome };
  }
  if (!await tenants.isGone(tenant).catch(() => false)) {
    return { ...report, error, outcome: "failed" };
  }
  const message = "The tenant disappeared during the run, which goes on without it";
  options.onEvent?.({ type: "notice", connection, message });
  return { ...report, outcome: "gone" };
}

/** Passes notices on, each text once: most are about a file, which is the same for all tenants. */
function once(onEvent: RunOptions["onEvent"]): (event: RunEvent) => void {
  const told = new Set<string>();
  return (event) => {
    if (event.type !== "notice") return;
    const key = `${event.file}\n${event.message}`;
    if (!told.has(key)) onEvent?.(event);
    told.add(key);
  };
}

/** Does something with the connection for shared files, if there are any, and with each tenant. */
export async function inTenants<T>(
  connection: Connection,
  options: Options,
  work: (connection: Connection) => Promise<T>,
): Promise<readonly T[]> {
  const tenants = await openTenants(connection, options);
  try {
    const all = parts(connection, tenants).filter((part) => part !== undefined);
    return await inParallel(all, tenants.atOnce, work);
  } finally {
    await tenants.close();
  }
}

/** The same one after another. */
export async function* tenantConnections(
  connection: Connection,
  options: Options,
): AsyncGenerator<Connection> {
  const tenants = await openTenants(connection, options);
  try {
    for (const part of parts(connection, tenants)) if (part) yield part;
  } finally {
    await tenants.close();
  }
}

/** Waits for the server, if it may. @throws {ConfigError | ConnectionError} */
async function openTenants(
  { target }: Connection,
  { only, create, signal, waitMs }: Options,
): Promise<Tenants> {
  if (waitMs) await (await target.open(signal)).close();
  return await target.tenants!({
    ...(only && { only }),
    ...(create && { create }),
    ...(signal && { signal }),
  });
}

/** First the connection with the shared files, if there are any, then the tenants with the others. */
function parts(
  { target, files }: Connection,
  tenants: Tenants,
): readonly [Connection | undefined, ...Connection[]] {
  const isShared = tenants.shared(files.map(({ path }) => path));
  const shared = files.filter(({ path }) => isShared.has(path));
  const others = files.filter(({ path }) => !isShared.has(path));
  const folder = target.connection;
  return [
    shared.length === 0 ? undefined : { target, files: shared },
    ...tenants.list.map(({ name, target }) => ({ target, files: others, tenant: name, folder })),
  ];
}

/** One finding for all tenants for which it is the same. */
export function mergedTenants<T>(findings: readonly Finding<T>[]): readonly Finding<T>[] {
  const groups = Map.groupBy(findings, ({ tenant, found, connection }) => {
    return tenant === undefined ? connection : JSON.stringify(found);
  });
  return [...groups.values()].map(([first, ...others]) => {
    const { connection } = first!;
    if (others.length === 0) return first!;
    return { ...first!, connection: connection.replace(/\]$/, ` and ${others.length} more]`) };
  });
}
