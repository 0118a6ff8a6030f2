import {
  type Finding,
  inEach,
  type LookOptions,
  type MigrationType,
} from "../../migrations/commands.ts";
import {
  classifyAll,
  hashesOf,
  mayHaveRun,
  type Migration,
  type MigrationFile,
  type Session,
} from "../../migrations/runner/mod.ts";
import { masked } from "../../migrations/search/compare/masking.ts";
import { CLUSTER, searchMigrations } from "../../migrations/search/offers.ts";
import { clusterDrift, type Drift } from "./inspect.ts";

export function migrationDrift(
  type: MigrationType,
  options: LookOptions,
): Promise<readonly Finding<readonly Drift[]>[]> {
  return inEach(type, options, (session, { files }) => driftOf(session, files));
}

export async function driftOf<M extends Migration>(
  session: Session<M>,
  files: readonly MigrationFile[],
): Promise<readonly Drift[]> {
  const { entries } = await session.journal.read(files.map(({ path }) => path), hashesOf(files));
  const executor = await session.executor();
  const recorded = new Map([...entries].flatMap(([path, { applied, attempt }]) =>
    // What was begun since may be there in its place.
    applied && !mayHaveRun(attempt) ? [[path, applied]] : []
  ));
  const { migrations } = await classifyAll(
    executor,
    files.filter(({ path }) => recorded.has(path)),
  );
  const cluster = CLUSTER.of(session);
  if (cluster === undefined) return [];
  const drifts = await clusterDrift(cluster, searchMigrations(migrations), recorded);
  return drifts.map((drift) => masked(drift, (text) => cluster.redact(text)));
}
