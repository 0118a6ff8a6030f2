import type { MigrationFile, Offering } from "../../migrations/runner/mod.ts";
import { objectOf, valueOf } from "../../migrations/search/json/json_values.ts";
import { SQL } from "../../migrations/sql/offers.ts";

/** Tells backfills from migrations: by their name, without which none is read, and a directive or the key of a request. */
export async function divide(files: readonly MigrationFile[], connection: Offering) {
  const isOne = SQL.of(connection) ? isBatches : isQuery;
  const found = await Promise.all(
    files.map(async ({ path, read }) =>
      /backfill[^/]*$/i.test(path) && isOne(new TextDecoder().decode(await read()))
    ),
  );
  return {
    migrations: files.filter((_, index) => !found[index]),
    backfills: files.filter((_, index) => found[index]),
  };
}

/** The place of the condition in a statement. */
export const PLACE = "${irori.batch}";
export const BATCHES_LINE = /^[ \t\ufeff]*--[ \t]*irori[ \t]*:[ \t]*batches\b.*/im;

function isBatches(text: string): boolean {
  const [head] = /^\ufeff?(?:\s|--[^\r\n]*|#[^\r\n]*|\/\*[\s\S]*?\*\/)*/.exec(text)!;
  // Without a directive at its head it is an invalid one, and no migration.
  return text.includes(PLACE) || BATCHES_LINE.test(head.replaceAll(/\/\*[\s\S]*?\*\//g, ""));
}

function isQuery(text: string): boolean {
  const { path, backfill } = objectOf(valueOf(text));
  return path !== undefined && backfill !== undefined;
}
