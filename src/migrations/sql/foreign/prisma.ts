import { compareCodePoints, type ForeignRow } from "../../runner/mod.ts";
import { execution, pathEnding, type TableRow, text, textHashes, type Tool } from "./tool.ts";

/** Prisma Migrate: a folder for each migration, `<name>/migration.sql`. */
export const PRISMA: Tool = {
  id: "prisma",
  name: "Prisma",
  tables: ["_prisma_migrations"],
  columns: ["migration_name", "checksum", "finished_at"],
  more: ["id", "logs", "rolled_back_at", "started_at", "applied_steps_count"],
  isEmpty: (rows) => rows.every(({ rolled_back_at }) => text(rolled_back_at) !== undefined),
  match(rows, paths) {
    const found = new Map<string, ForeignRow>();
    for (const row of rows.toSorted((a, b) => compareCodePoints(started(a), started(b)))) {
      const name = text(row.migration_name) ?? "";
      if (text(row.rolled_back_at) !== undefined) continue;
      const path = pathEnding(`${name}/migration.sql`, paths);
      const known = { name, ...(path !== undefined && { path }) };
      if (text(row.finished_at) === undefined) {
        const failed =
          "Prisma began it and did not finish it: 'prisma migrate resolve' settles that";
        found.set(`failed ${name}`, { ...known, failed });
        continue;
      }
      const recorded = text(row.checksum);
      found.set(name, {
        ...known,
        // `prisma migrate resolve --applied` records none.
        ...(recorded && { checksum: { recorded, of: checksums } }),
        ...execution("Prisma", row.finished_at),
      });
    }
    return { rows: [...found.values()] };
  },
};

function started({ started_at: time }: TableRow): string {
  return time instanceof Date ? time.toISOString() : String(time);
}

/** Older versions wrote bytes below 16 with one digit. */
async function checksums(bytes: Uint8Array): Promise<readonly string[]> {
  return (await textHashes(bytes)).flatMap((hash) => [hash, hash.replace(/0(?=.(?:..)*$)/g, "")]);
}
