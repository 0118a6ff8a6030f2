import {
  type CommandOptions,
  type Finding,
  inEach,
  type MigrationType,
} from "../../migrations/commands.ts";
import {
  classifyAll,
  ConnectionError,
  type Difference,
  hashesOf,
  mayHaveRun,
  type Migration,
  type MigrationFile,
  type Session,
} from "../../migrations/runner/mod.ts";
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

export interface DriftOptions extends Pick<CommandOptions, "onFailure"> {
  readonly unmanaged?: boolean;
}

export function migrationDrift(
  type: MigrationType,
  options: CommandOptions & DriftOptions,
): Promise<readonly Finding<readonly Drift[]>[]> {
  return inEach(type, options, (session, { files }) => driftOf(session, files, options));
}

/**
 * The differences between applied files and live resources, in file order; without one, what is live beyond them or cannot
 * be compared. Sends one GET for each resource, and one more where a mapping has another form, or an alias differs.
 * @throws {TransportError} where the cluster refuses one of these requests, too
 */
export async function driftOf<M extends Migration>(
  session: Session<M>,
  files: readonly MigrationFile[],
  { unmanaged = false, onFailure }: DriftOptions = {},
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
  const ask = cluster.read.bind(cluster);
  const reader = { ask, sendToPlugin: ask };
  for (const claim of claims) {
    const { file, resource, resource: { key }, wanted, whole, note } = claim;
    const found = note === undefined
      ? await compareResource(reader, resource, wanted, whole).catch((error) => {
        if (error instanceof ConnectionError) error.message = `${file}: ${key}: ${error.message}`;
        throw error;
      })
      : { differences: [], note };
    const { differences = [{ path: "", wanted, live: undefined }], beyond = [] } = found;
    const more = `the cluster has more than the file: ${beyond.map(({ path }) => path).join(", ")}`;
    const said = found.note ?? (beyond.length > 0 ? more : undefined);
    if (differences.length === 0 && said === undefined) continue;
    const drift = { file, resource: key, differences, ...(said && { note: said }) };
    drifts.push(masked(drift, (text) => cluster.redact(text)));
  }
  if (!unmanaged) return drifts;
  return [...drifts, ...await unmanagedBeside(session, { migrations, claims, entries }, onFailure)];
}
