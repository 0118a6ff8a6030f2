import { jsonOf, member } from "../../migrations/search/json/json.ts";
import { copyMarker } from "./copy_state.ts";
import { differenceOf, expectedWay, type IndexDifference, leftFields } from "./difference.ts";
import { CopyRefusedError } from "./expect.ts";
import { type LiveIndex, readIndex } from "../live_indices/live_index.ts";
import type { IndexChange } from "./change.ts";

interface Found {
  readonly live: LiveIndex;
  readonly made: LiveIndex;
  readonly difference: IndexDifference;
}

/** `false` if that is not enough: what the cluster accepted is part of what the file says. */
export async function changeInPlace({ file, pair, record }: IndexChange, found: Found) {
  const { live, made, difference } = found;
  const { settings, additions, fields, aliases } = difference;
  if (expectedWay(difference) === "copy") return false;
  const values = JSON.stringify(Object.fromEntries(
    settings.map(({ path, wanted }) => [path.replace(/^settings\./, ""), wanted ?? null]),
  ));
  const isTaken = async (path: string, body: string) => {
    const request = { method: "PUT", path, body };
    return (await pair.send(request, ({ status }) => status === 400)).status !== 400;
  };
  const path = `/${encodeURIComponent(live.name)}`;
  if (settings.length > 0 && !await isTaken(`/${copyMarker(record.current)}/_settings`, values)) {
    return false;
  }
  const isMapped = additions.length + fields.length > 0;
  if (isMapped && !await isTaken(`${path}/_mapping`, mappingsText(made))) return false;
  if (settings.length > 0 && !await isTaken(`${path}/_settings`, values)) return false;
  const now = await readIndex(pair.cluster, live.name);
  const left = now && differenceOf(file, made, now);
  if (!left || left.settings.length + left.additions.length + left.fields.length > 0) return false;
  if (aliases.length > 0) {
    const actions = aliases.map(({ path }) => {
      const alias = path.replace(/^aliases\./, "");
      return { add: { ...file.aliases[alias], index: live.name, alias } };
    });
    const body = JSON.stringify({ actions });
    await pair.send({ method: "POST", path: "/_aliases", body });
  }
  return true;
}

function mappingsText({ name, answer: { text } }: LiveIndex): string {
  return member(member(jsonOf(text).members, name)!.members, "mappings")!.source;
}

/**
 * Gives the new index the fields of the old one that the file does not name, so that their documents stay what they are; a
 * dynamic mapping, or a user, may have created them meanwhile. @throws {CopyRefusedError} when they conflict
 */
export async function bringFields({ pair, record }: IndexChange, live: LiveIndex): Promise<void> {
  const made = await readIndex(pair.cluster, record.current.to);
  const left = made && leftFields(made.mappings, live.mappings);
  if (left === undefined) return;
  const path = `/${copyMarker(record.current)}/_mapping`;
  const body = JSON.stringify({ properties: left.properties ?? {} });
  await pair.send({ method: "PUT", path, body }, (_, { reason }) => {
    throw new CopyRefusedError(
      `Fields of '${live.name}' that the file does not name conflict with the fields of the new index: ${reason}`,
    );
  });
}
