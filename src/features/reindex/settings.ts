import type { Config } from "../../config/mod.ts";
import {
  choiceOf,
  type FeatureKey,
  featureKey,
  milliseconds,
} from "../../migrations/runner/mod.ts";
import { defined } from "../../text/mod.ts";

export interface ReindexSettings {
  /** The longest block of writes in milliseconds; `none` copies only an index that its owner has blocked. */
  readonly writePauseMs: number | "none";
  readonly requestsPerSecond?: number;
  readonly pipeline?: string;
  readonly oldIndices: "keep" | "delete";
}

export const REINDEX: FeatureKey<ReindexSettings> = featureKey("reindex");

const WRITE_PAUSE_MS = 30_000;

/** Every setting is checked even without `index_changes: reindex`, because profiles may set it separately. */
export function reindexOf(section: Config): ReindexSettings | undefined {
  const changes = choiceOf(section, "migrations.index_changes", ["keep", "reindex"], "keep");
  const oldIndices = choiceOf(section, "migrations.old_indices", ["keep", "delete"], "keep");
  const writePauseMs = writePauseOf(section, "migrations.write_pause");
  const requestsPerSecond = section.number("migrations.requests_per_second");
  if (requestsPerSecond !== undefined && requestsPerSecond <= 0) {
    const message =
      `Expected a number of documents per second above 0, found '${requestsPerSecond}'`;
    throw section.error("migrations.requests_per_second", message);
  }
  const pipeline = section.string("migrations.reindex_pipeline");
  // The cluster reads these as a list, a pattern, or no pipeline.
  if (pipeline !== undefined && (!/^[^\s,*]+$/.test(pipeline) || pipeline === "_none")) {
    const message = `Expected the name of an ingest pipeline, found '${pipeline}'`;
    throw section.error("migrations.reindex_pipeline", message);
  }
  if (changes === "keep") return undefined;
  return defined<ReindexSettings>({ writePauseMs, oldIndices, requestsPerSecond, pipeline });
}

function writePauseOf(section: Config, key: string): ReindexSettings["writePauseMs"] {
  const text = section.string(key);
  if (text === "none") return text;
  if (text === undefined) return WRITE_PAUSE_MS;
  const expected = "Expected seconds above 0 or 'none'";
  if (isNaN(Number(text))) throw section.error(key, `${expected}, found '${text}'`);
  return milliseconds(section, key, expected)!;
}
