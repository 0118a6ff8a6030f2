import type { Difference } from "../../migrations/runner/mod.ts";
import { additions, differences } from "../../migrations/search/json/compare.ts";
import { type Json, mapValues, objectOf } from "../../migrations/search/json/json_values.ts";
import { liveIndexForm } from "../../migrations/search/kinds/indices.ts";
import type { SearchMigration } from "../../migrations/search/types.ts";
import { readIndex } from "../live_indices/live_index.ts";
import { problemOf, type Series } from "./series.ts";
import { keyOf, type Templates } from "./templates.ts";

/** A series whose next index is defined by files of a run. */
export interface DefinedSeries extends Series {
  /** The last of these files: it rolls over. */
  readonly path: string;
  /** The write index compared with the next one. */
  readonly differences: readonly Difference[];
  /** Whether the next one lacks a part that earlier templates gave: other parts are of documents and users. */
  readonly isLess: boolean;
  readonly problem: string | undefined;
  /** The name that its write index was made by: it may have a date, `<logs-{now/d}-000001>`. */
  readonly provided: string;
}

/**
 * Compares write indices with the next ones once files are applied.
 *
 * @param all files of the run: those of new resources count, too
 * @param known looks at these alone, whatever files define them
 */
export async function definedSeries(
  before: Templates,
  files: readonly SearchMigration[],
  all = files,
  known?: readonly DefinedSeries[],
): Promise<readonly DefinedSeries[]> {
  const after = files.length > 0 ? before.with(files, all) : before;
  const found: DefinedSeries[] = [];
  for (const one of before.series) {
    const [had, keys] = [before.keysOf(one.matched), after.keysOf(one.matched)];
    const path = known
      ? known.find(({ name }) => name === one.name)?.path
      : files.findLast((file) => [...had, ...keys].includes(keyOf(file)))?.file.path;
    const live = path && keys.length > 0 && await readIndex(before.cluster, one.index);
    if (!live) continue;
    const next = await after.expected(keys);
    const change = changeOf(await before.expected(had), next, { ...live });
    const problem = problemOf(one, before.series, next.aliases);
    const provided = String(live.settings["index.provided_name"]);
    found.push({ ...one, ...change, path, problem, provided });
  }
  return found;
}

function changeOf(...all: readonly [before: Json, after: Json, live: Json]) {
  const [before, after, live] = all.map(comparable);
  const beyond = (has: unknown) => additions(after, has).filter((one) => one.wanted === undefined);
  const given = beyond(before).map(({ path }) => path);
  const removed = beyond(live).filter(({ path, live }) =>
    // An index has one shard where no template says how many.
    given.includes(path) && `${path} ${live}` !== "settings.index.number_of_shards 1"
  );
  return { differences: [...differences(after, live), ...removed], isLess: removed.length > 0 };
}

/** A part that is missing has nothing of the other's; clusters read a list of one as its element. */
function comparable(definition: Json) {
  const { settings, mappings = {} } = liveIndexForm(definition);
  const single = (value: unknown) => Array.isArray(value) && value.length === 1 ? value[0] : value;
  return { settings: mapValues(objectOf(settings), single), mappings };
}
