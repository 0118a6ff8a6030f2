import { backOffMs, pause } from "../../migrations/runner/mod.ts";
import { isBusy } from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { field } from "../../migrations/search/json/json_values.ts";
import { AnswerError, expectAnswer } from "../live_indices/expect.ts";
import type { DefinedSeries } from "./defined_series.ts";
import { numberAfter, type Series } from "./series.ts";

export function rolloverPath({ name }: Series): string {
  return `/${encodeURIComponent(name)}/_rollover`;
}

/** Tries it without doing it. @returns the write index, and its successor @throws {AnswerError} */
export async function tryRollover(cluster: Cluster, series: Series) {
  const path = `${rolloverPath(series)}?dry_run=true`;
  const { json } = await expectAnswer(cluster, { method: "POST", path });
  return { index: String(field(json, "old_index")), next: String(field(json, "new_index")) };
}

const TRIES = 5;
const ONCE = { repeatSafe: false, once: true, tries: 1 };

/** @returns the write index after it; another client may have rolled over @throws {AnswerError | TransportError} */
export async function rollOver(
  cluster: Cluster,
  series: DefinedSeries,
  attempt = 1,
): Promise<string> {
  const { index, next } = await tryRollover(cluster, series);
  if (index !== series.index) return index;
  // An index is made once by its name; a data stream takes none. One with a date has the date of each next index.
  const dated = /^<.*>$/.test(series.provided) && series.provided.replace(/\d+(?=>$)/, numberAfter);
  const name = series.kind === "write alias" ? `/${encodeURIComponent(dated || next)}` : "";
  const request = { method: "POST", path: rolloverPath(series) + name };
  try {
    const { json } = await expectAnswer(cluster, request, () => false, ONCE);
    return String(field(json, "new_index"));
  } catch (error) {
    // The answer may be lost, or be that of a busy proxy. Where this fails, too, the first error says why.
    const now = await tryRollover(cluster, series).catch(() => series);
    if (now.index !== series.index) return now.index;
    if (attempt === TRIES || !(error instanceof AnswerError && isBusy(error.answer))) throw error;
  }
  await pause(backOffMs(attempt));
  return await rollOver(cluster, series, attempt + 1);
}
