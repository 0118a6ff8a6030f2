import { whileLocked } from "../../migrations/runner/cut_off.ts";
import { hashesOf } from "../../migrations/runner/hash.ts";
import type { Leftover, MigrationFile, Session } from "../../migrations/runner/types.ts";

export interface Pruned {
  readonly deleted: readonly Leftover[];
  readonly kept: readonly Leftover[];
}

export async function leftoversOf(session: Session): Promise<readonly Leftover[]> {
  const entries = [...(await session.journal.list()).values()];
  if (!entries.some(({ applied }) => applied?.leftBehind?.length)) return [];
  const executor = await session.executor();
  return await executor.copies?.leftovers(entries) ?? [];
}

/** Deletes what runs have replaced and left on the server. @throws {LockedError} when another run is going on */
export async function prune(
  session: Session,
  files: readonly MigrationFile[],
  chosen: readonly Leftover[],
  signal?: AbortSignal,
): Promise<Pruned> {
  if (chosen.length === 0) return { deleted: [], kept: [] };
  const { journal } = session;
  const executor = await session.executor();
  const paths = [...new Set(chosen.map(({ file }) => file))];
  const deleted: Leftover[] = [];
  const kept: Leftover[] = [];
  const read = await journal.read(paths, hashesOf(files));
  await whileLocked(journal, read, async (entries) => {
    const ensureHeld = () => journal.ensureHeld();
    for (const path of paths) {
      const entry = entries.get(path);
      if (entry?.applied?.leftBehind === undefined) continue;
      const gone = new Set<string>();
      for (const leftover of chosen.filter(({ file }) => file === path)) {
        if (!entry.applied.leftBehind.includes(leftover.name)) continue;
        const isDeleted = await executor.copies?.prune(leftover, { ensureHeld }) === true;
        (isDeleted ? deleted : kept).push(leftover);
        if (isDeleted) gone.add(leftover.name);
      }
      const leftBehind = entry.applied.leftBehind.filter((name) => !gone.has(name));
      await journal.write([{ ...entry, applied: { ...entry.applied, leftBehind } }]);
    }
  }, signal);
  return { deleted, kept };
}
