import {
  type CommandOptions,
  type Finding,
  inEach,
  type MigrationType,
} from "../../migrations/commands.ts";
import {
  hashesOf,
  type JournalEntry,
  type MigrationFile,
  type Session,
  whileLocked,
  type Work,
} from "../../migrations/runner/mod.ts";
import { type LiveIndex, readIndex } from "../live_indices/live_index.ts";
import { describeSize, sizeOf } from "./live_index.ts";
import { ofFile } from "./moments.ts";
import { IndexPair } from "./pair.ts";
import { isWriteBlocked } from "./refusals.ts";

export interface Leftover {
  readonly file: string;
  readonly name: string;
  readonly size: string;
}

export interface Pruned {
  readonly deleted: readonly Leftover[];
  readonly kept: readonly Leftover[];
}

/** Finds and deletes the indices that a copy has replaced and kept. */
export interface OldIndices {
  find(entries: readonly JournalEntry[]): Promise<readonly Leftover[]>;
  delete(leftover: Leftover, work: Pick<Work, "ensureHeld">): Promise<boolean>;
}

function oldIndicesOf(session: Session): OldIndices {
  return {
    find: (entries) =>
      ofFile(session, entries[0]?.path ?? "", async (cluster) => {
        const found: Leftover[] = [];
        for (const { path: file, applied } of entries) {
          for (const name of applied?.leftBehind ?? []) {
            const index = await readIndex(cluster, name);
            if (index === undefined || isInUse(index)) continue;
            found.push({ file, name, size: describeSize(await sizeOf(cluster, name)) });
          }
        }
        return found;
      }),
    delete: ({ file, name }, { ensureHeld }) =>
      ofFile(session, file, async (cluster) => {
        const index = await readIndex(cluster, name);
        if (index === undefined) return true;
        if (isInUse(index)) return false;
        await new IndexPair(cluster, ensureHeld).delete(name);
        return true;
      }),
  };
}

function isInUse(index: LiveIndex): boolean {
  return Object.keys(index.aliases).length > 0 || !isWriteBlocked(index);
}

export async function leftoversOf(
  session: Session,
  old: OldIndices = oldIndicesOf(session),
): Promise<readonly Leftover[]> {
  const entries = [...(await session.journal.list()).values()];
  if (!entries.some(({ applied }) => applied?.leftBehind?.length)) return [];
  return await old.find(entries);
}

/** Deletes what runs have replaced and left on the server. @throws {LockedError} when another run is going on */
export async function prune(
  session: Session,
  files: readonly MigrationFile[],
  chosen: readonly Leftover[],
  signal?: AbortSignal,
  old: OldIndices = oldIndicesOf(session),
): Promise<Pruned> {
  if (chosen.length === 0) return { deleted: [], kept: [] };
  const { journal } = session;
  const paths = [...new Set(chosen.map(({ file }) => file))];
  const deleted: Leftover[] = [];
  const kept: Leftover[] = [];
  const read = await journal.read(paths, hashesOf(files));
  await whileLocked(journal, read, async (entries) => {
    for (const path of paths) {
      const entry = entries.get(path);
      if (entry?.applied?.leftBehind === undefined) continue;
      const gone = new Set<string>();
      for (const leftover of chosen.filter(({ file }) => file === path)) {
        if (!entry.applied.leftBehind.includes(leftover.name)) continue;
        const isDeleted = await old.delete(leftover, { ensureHeld: () => journal.ensureHeld() });
        (isDeleted ? deleted : kept).push(leftover);
        if (isDeleted) gone.add(leftover.name);
      }
      const leftBehind = entry.applied.leftBehind.filter((name) => !gone.has(name));
      await journal.write([{ ...entry, applied: { ...entry.applied, leftBehind } }]);
    }
  }, signal);
  return { deleted, kept };
}

export function migrationLeftovers(
  type: MigrationType,
  options: CommandOptions,
): Promise<readonly Finding<readonly Leftover[]>[]> {
  return inEach(type, options, (session) => leftoversOf(session));
}

export async function pruneMigrations(
  type: MigrationType,
  chosen: readonly Finding<readonly Leftover[]>[],
  options: CommandOptions,
): Promise<readonly Finding<Pruned>[]> {
  const of = (name: string) => chosen.find(({ connection }) => connection === name)?.found ?? [];
  // A connection that failed when it was read is known to have failed.
  const onFailure = options.onFailure && ((error: Error, connection: string) => {
    if (chosen.some((one) => one.connection === connection)) options.onFailure!(error, connection);
  });
  return await inEach(type, { ...options, onFailure }, (session, { files }) => {
    return prune(session, files, of(session.connection), options.signal);
  });
}
