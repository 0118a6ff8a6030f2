import { member, membersOf } from "../../migrations/search/json/json.ts";
import { failureOf } from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import type { IndexDefinition } from "./definition.ts";
import { copyMarker, type CopyState } from "./copy_state.ts";
import { differenceOf, expectedWay, type IndexDifference, leftFields } from "./difference.ts";
import { CopyRefusedError, expectAnswer } from "./expect.ts";
import { type LiveIndex, readIndex } from "./live_index.ts";

export interface InPlaceChange {
  readonly cluster: Cluster;
  readonly file: IndexDefinition;
  readonly live: LiveIndex;
  readonly made: LiveIndex;
  readonly marker: string;
  readonly difference: IndexDifference;
  readonly ensureHeld: () => Promise<void>;
}

/** `false` if that is not enough: what the cluster accepted is part of what the file says. */
export async function changeInPlace(
  { cluster, file, live, made, marker, difference, ensureHeld }: InPlaceChange,
): Promise<boolean> {
  const { settings, additions, fields, aliases } = difference;
  if (expectedWay(difference) === "copy") return false;
  const values = JSON.stringify(Object.fromEntries(
    settings.map(({ path, wanted }) => [path.replace(/^settings\./, ""), wanted ?? null]),
  ));
  const isTaken = async (path: string, body: string) => {
    await ensureHeld();
    const request = { method: "PUT", path, body };
    const { status } = await expectAnswer(cluster, request, ({ status }) => status === 400);
    return status !== 400;
  };
  const path = `/${encodeURIComponent(live.name)}`;
  if (settings.length > 0 && !await isTaken(`/${marker}/_settings`, values)) return false;
  const isMapped = additions.length + fields.length > 0;
  if (isMapped && !await isTaken(`${path}/_mapping`, mappingsText(made))) return false;
  if (settings.length > 0 && !await isTaken(`${path}/_settings`, values)) return false;
  const now = await readIndex(cluster, live.name);
  const left = now && differenceOf(file, made, now);
  if (!left || left.settings.length + left.additions.length + left.fields.length > 0) return false;
  if (aliases.length > 0) {
    await ensureHeld();
    const actions = aliases.map(({ path }) => {
      const alias = path.replace(/^aliases\./, "");
      return { add: { ...file.aliases[alias], index: live.name, alias } };
    });
    const body = JSON.stringify({ actions });
    await expectAnswer(cluster, { method: "POST", path: "/_aliases", body });
  }
  return true;
}

function mappingsText({ name, answer: { text } }: LiveIndex): string {
  const index = member(membersOf(text, { offset: text.indexOf("{") }), name)!;
  return member(membersOf(text, index), "mappings")!.source;
}

/**
 * Gives the new index the fields of the old one that the file does not name, so that their documents stay what they are; a
 * dynamic mapping, or a user, may have created them meanwhile.
 *
 * @throws {CopyRefusedError} when they do not go with those that the new index has
 */
export async function bringFields(
  cluster: Cluster,
  state: CopyState,
  live: LiveIndex,
  ensureHeld: () => Promise<void>,
): Promise<void> {
  const made = await readIndex(cluster, state.to);
  const left = made && leftFields(made.mappings, live.mappings);
  if (left === undefined) return;
  await ensureHeld();
  const path = `/${copyMarker(state)}/_mapping`;
  const body = JSON.stringify({ properties: left.properties ?? {} });
  const request = { method: "PUT", path, body };
  const answer = await cluster.send(request, { repeatSafe: true });
  const failure = failureOf(request, answer);
  if (failure === undefined) return;
  throw new CopyRefusedError(
    `Fields of '${live.name}' that the file does not name conflict with the fields of the new index: ${failure.reason}`,
  );
}
