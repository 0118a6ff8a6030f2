import { inParallel, type MigrationFile, type Offering } from "../../migrations/runner/mod.ts";
import { objectOf, valueOf } from "../../migrations/search/json/json_values.ts";
import { SQL } from "../../migrations/sql/offers.ts";

const AT_ONCE = 16;

/** Tells backfills from migrations: by the first part of an SQL file, which has its directives, or by the key of a request. */
export async function divide(files: readonly MigrationFile[], connection: Offering) {
  const sql = SQL.of(connection);
  const found = await inParallel(files, AT_ONCE, async ({ location, read }) => {
    if (!sql) return isQuery(new TextDecoder().decode(await read()));
    for await (const bytes of sql.environment.files.readChunks(location)) {
      return isBatches(new TextDecoder().decode(bytes));
    }
  });
  return {
    migrations: files.filter((_, index) => !found[index]),
    backfills: files.filter((_, index) => found[index]),
  };
}

function isBatches(text: string): boolean {
  const [head] = /^\ufeff?(?:\s|--[^\r\n]*|#[^\r\n]*|\/\*[\s\S]*?\*\/)*/.exec(text)!;
  const lines = head.replaceAll(/\/\*[\s\S]*?\*\//g, "");
  return /^[ \t\ufeff]*--[ \t]*irori[ \t]*:[ \t]*batches\b/im.test(lines);
}

function isQuery(text: string): boolean {
  if (!text.includes('"backfill"')) return false;
  const { path, backfill } = objectOf(valueOf(text));
  return path !== undefined && backfill !== undefined;
}
