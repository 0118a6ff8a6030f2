import type { Key } from "./truth.ts";

/** The content of a scenario's documents, and how writers change it. */
export interface Style {
  /** Where a document belongs, by its id; twins are ids that stand under two routings. */
  readonly routing?: (id: string) => string;
  /** More routings under which the same id is written too. */
  readonly twin?: (id: string) => string;
  /** Members beside those that every document has, as a text that ends with a comma. */
  readonly members?: (key: Key) => string;
  /** The stored text of a write under the name, where the write passes through pipelines. */
  readonly stored?: (text: string) => string;
  /** No number has more than 64 bits: neither scripts of pipelines take such, nor does `_simulate`. */
  readonly isShort?: boolean;
  /** Writers name the version of each write themselves. */
  readonly isVersioned?: boolean;
  /** Writers delete documents and make them again when the cluster has forgotten the old versions. */
  readonly isMadeAgain?: boolean;
  /** Words of the field `tag`. @default words that are no numbers */
  readonly tags?: readonly string[];
  /** Tags only writers use, now and then, and not those that load the index. */
  readonly lateTags?: readonly string[];
}

const TAGS = ["red", "green", "blue shade"];

/** A document's text. Numbers and the order of members do not survive `JSON.parse`. */
export function documentText(
  key: Key,
  style: Style,
  count: number,
  isStable = false,
  tag?: string,
): string {
  const tags = style.tags ?? TAGS;
  const members = [
    `"n":${JSON.stringify(key.id)}`,
    `"v":${count}`,
    `"tag":${JSON.stringify(tag ?? tags[count % tags.length])}`,
    `"stable":${isStable}`,
  ];
  const big = style.isShort ? "1" : "123456789012345678901234567890";
  const raw = `"raw":{"b":${count},"2":"second","1":[1.0,1.50],"big":${big}}`;
  return `{${members.join()},${style.members?.(key) ?? ""}${raw}}`;
}

/** The text after an update with the part `{"v":…}`: the cluster writes all of it again. */
export function updatedText(text: string, count: number): string {
  return text.replace(/"v":\d+/, `"v":${count}`).replace("1.50]", "1.5]")
    .replaceAll("𝄞", "\\uD834\\uDD1E");
}

/** `?routing=…`, with what else goes into the query. */
export function queryOf({ routing }: Key, more: Readonly<Record<string, string>> = {}): string {
  const parts = new URLSearchParams({ ...(routing !== undefined && { routing }), ...more });
  return parts.size === 0 ? "" : `?${parts}`;
}

/** An id, some with letters that mean something in a URL, in JSON or to who sorts. */
export function idOf(label: string, number: number): string {
  return `${label}${number}${number % 10 === 3 ? ` ü/?"\\,\n€𝄞` : ""}`;
}

/** The keys of an id. */
export function keysOf(id: string, { routing, twin }: Style): readonly Key[] {
  if (!routing) return [{ id }];
  return [{ id, routing: routing(id) }, ...(twin ? [{ id, routing: twin(id) }] : [])];
}

/** The lines of a `_bulk` that loads documents. */
export function bulkOf(documents: readonly { key: Key; text: string }[]): string {
  return documents.map(({ key: { id, routing }, text }) => {
    const index = { _id: id, ...(routing !== undefined && { routing }) };
    return `${JSON.stringify({ index })}\n${text}\n`;
  }).join("");
}
