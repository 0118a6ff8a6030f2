import {
  type CommandOptions,
  type Finding,
  inEach,
  type MigrationType,
} from "../../migrations/commands.ts";
import {
  classifyAll,
  type Difference,
  hashesOf,
  mayHaveRun,
  type Migration,
  type MigrationFile,
  type Session,
} from "../../migrations/runner/mod.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { masked } from "../../migrations/search/compare/masking.ts";
import { compareResource } from "../../migrations/search/compare/preview.ts";
import { CLUSTER, searchMigrations } from "../../migrations/search/offers.ts";
import { unmanagedBeside } from "../unmanaged/unmanaged.ts";
import { claimsOf } from "./made.ts";

export interface Drift {
  /** Left out for a resource that no applied file makes. */
  readonly file?: string;
  readonly resource: string;
  readonly differences: readonly Difference[];
  readonly note?: string;
}

export function migrationDrift(
  type: MigrationType,
  options: CommandOptions,
  unmanaged = false,
): Promise<readonly Finding<readonly Drift[]>[]> {
  return inEach(type, options, (session, { files }) => {
    return driftOf(session, files, unmanaged ? options.onFailure : undefined);
  });
}

/**
 * The differences between applied files and live resources, in file order; without a difference, what is live beyond them
 * or cannot be compared. Sends one GET for each resource, and one more request where the cluster shows a mapping in another
 * form, or an alias differs.
 * @param onUnreadable given, resources that no applied file makes follow; it takes the kinds that cannot be listed
 * @throws {TransportError} where the cluster refuses one of these requests, too
 */
export async function driftOf<M extends Migration>(
  session: Session<M>,
  files: readonly MigrationFile[],
  onUnreadable?: CommandOptions["onFailure"],
): Promise<readonly Drift[]> {
  const { entries } = await session.journal.read(files.map(({ path }) => path), hashesOf(files));
  const executor = await session.executor();
  const recorded = new Map([...entries].flatMap(([path, { applied, attempt }]) =>
    // Work that began since may have replaced it.
    applied && !mayHaveRun(attempt) ? [[path, applied]] : []
  ));
  const migrations = searchMigrations((await classifyAll(executor, files)).migrations);
  const claims = claimsOf(migrations.filter(({ file }) => recorded.has(file.path)), recorded);
  const cluster = CLUSTER.of(session);
  if (cluster === undefined) return [];
  const drifts: Drift[] = [];
  // Without a right or an answer, a comparison would miss what differs.
  const ask: Cluster["ask"] = (request) => cluster.read(request);
  const reader = { ask, sendToPlugin: ask };
  for (const claim of claims) {
    const { file, resource, wanted, whole, note } = claim;
    const found = note === undefined
      ? await compareResource(reader, resource, wanted, whole)
      : { differences: [], note };
    const { differences = [{ path: "", wanted, live: undefined }], beyond = [] } = found;
    const said = found.note ?? beyondNote(beyond);
    if (differences.length === 0 && said === undefined) continue;
    const drift = { file, resource: resource.key, differences, ...(said && { note: said }) };
    drifts.push(masked(drift, (text) => cluster.redact(text)));
  }
  if (onUnreadable === undefined) return drifts;
  const unmanaged = await unmanagedBeside(session, { migrations, claims, entries }, onUnreadable);
  return [...drifts, ...unmanaged];
}

function beyondNote(beyond: readonly Difference[]): string | undefined {
  if (beyond.length === 0) return undefined;
  return `the cluster has more than the file: ${beyond.map(({ path }) => path).join(", ")}`;
}
