import { type JsonObject, objectText } from "../json/json.ts";
import type { KindEnding, SearchRequest } from "../types.ts";
import { KINDS } from "../kinds/all.ts";
import type { Kind, KindFile } from "../kinds/types.ts";

/** A kind that has files of its own. */
export interface FiledKind extends Kind {
  readonly file: KindFile;
}

/** What the ending of a file's name says. */
export interface Convention {
  /** With its hyphen: `-role`. */
  readonly ending: `-${KindEnding}`;
  /** What it makes is called. */
  readonly name: string;
  /** Kinds with this ending: on OpenSearch and on Elasticsearch. */
  readonly kinds: readonly FiledKind[];
}

const FILED: readonly FiledKind[] = KINDS.filter((kind): kind is FiledKind => !!kind.file);
/** The longest first: `-search-pipeline` before `-pipeline`. */
const ENDINGS = [...new Set(FILED.map(({ file }) => file.ending))]
  .sort((a, b) => b.length - a.length);

/** The kind that the ending of a file's name stands for; `undefined` for no known ending. */
export function conventionOf(path: string): Convention | undefined {
  // What there is one of may go without a name.
  const stem = `-${path.slice(path.lastIndexOf("/") + 1).replace(/\.json$/i, "")}`;
  const ending = ENDINGS.find((ending) => stem.endsWith(ending));
  if (ending === undefined) return undefined;
  return {
    ending,
    name: stem.slice(1, -ending.length),
    kinds: FILED.filter(({ file }) => file.ending === ending),
  };
}

/** The request of a file: what it holds is sent as it stands, but for what clusters show and do not take. */
export function requestOfFile(kind: FiledKind, name: string, json: JsonObject): SearchRequest {
  const { shownOnly = [], isEmpty } = kind.file;
  const path = kind.path(encodeURIComponent(name));
  if (isEmpty) return { method: "PUT", path };
  const isShown = json.members.some((member) => shownOnly.includes(member.name));
  const body = isShown
    ? objectText(json.members.filter((member) => !shownOnly.includes(member.name)))
    : json.text;
  return { method: "PUT", path, body };
}
