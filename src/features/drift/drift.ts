import { type CommandOptions, type Finding, inEach } from "../../migrations/commands.ts";
import {
  classifyAll,
  ConnectionError,
  type Difference,
  hashesOf,
  mayHaveRun,
  type MigrationFile,
  type Session,
} from "../../migrations/runner/mod.ts";
import { resourceOf } from "../../migrations/search/kinds/resource.ts";
import { masked } from "../../migrations/search/compare/masking.ts";
import { compareResource } from "../../migrations/search/compare/preview.ts";
import { searchMigrations, searchSessionOf } from "../../migrations/search/offers.ts";
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
  options: CommandOptions & DriftOptions,
): Promise<readonly Finding<readonly Drift[]>[]> {
  return inEach("search", options, (session, { files }) => driftOf(session, files, options));
}

/**
 * The differences between applied files and live resources, in file order; without one, what is beyond them. Sends one GET
 * for each, and one more where a mapping or an alias differs. @throws {TransportError} for a refused one, unless `onFailure`
 */
export async function driftOf(
  session: Session,
  files: readonly MigrationFile[],
  { unmanaged = false, onFailure }: DriftOptions = {},
): Promise<readonly Drift[]> {
  const { entries } = await session.journal.read(files.map(({ path }) => path), hashesOf(files));
  const recorded = new Map([...entries].flatMap(([path, { applied, attempt }]) =>
    // Work that began since may have replaced it.
    applied && !mayHaveRun(attempt) ? [[path, applied]] : []
  ));
  const migrations = searchMigrations(
    (await classifyAll(await session.executor(), files)).migrations,
  );
  const claims = claimsOf(migrations.filter(({ file }) => recorded.has(file.path)), recorded);
  const { cluster, connection } = searchSessionOf(session);
  const drifts: Drift[] = [];
  /** One error stands for all files of a kind. */
  const unreadable = new Set<unknown>();
  // Without a right or an answer, a comparison would miss what differs.
  const ask = cluster.read.bind(cluster);
  const reader = { ask, sendToPlugin: ask };
  for (const claim of claims) {
    const { file, resource, resource: { key, kind }, wanted, whole, note } = claim;
    if (unreadable.has(kind)) continue;
    const found = note === undefined
      ? await compareResource(reader, resource, wanted, whole).catch((error) => {
        if (error instanceof ConnectionError) error.message = `${file}: ${key}: ${error.message}`;
        if (!(error instanceof ConnectionError && onFailure)) throw error;
        onFailure(error, connection.name);
        unreadable.add(kind);
      })
      : { differences: [], note };
    if (!found) continue;
    const { differences = [{ path: "", wanted, live: undefined }], beyond = [] } = found;
    const more = `the cluster has more than the file: ${beyond.map(({ path }) => path).join(", ")}`;
    const said = found.note ?? (beyond.length > 0 ? more : undefined);
    if (differences.length === 0 && said === undefined) continue;
    drifts.push({ file, resource: key, differences, ...(said && { note: said }) });
  }
  const found = drifts.map((one) => masked(one, (text) => cluster.redact(text)));
  if (!unmanaged) return found;
  const read = migrations.filter(({ request }) => !unreadable.has(resourceOf(request)?.kind));
  return [
    ...found,
    ...await unmanagedBeside(session, { migrations: read, claims, entries }, onFailure),
  ];
}
