import type { FileProblem } from "./results.ts";

/**
 * Compares by Unicode code point, the order in which migration files run (reference 4.4 rule 5). `<` on strings
 * compares UTF-16 units, which puts characters beyond the BMP before U+E000.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Moves surrogates, which stand for code points above U+FFFF, behind every other unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Where the list that another tool keeps of a folder has a file. */
export interface Listing {
  readonly by: string;
  readonly place: number;
  readonly time: string;
}

type ListedFile = { readonly path: string; readonly listed?: Listing };

/** Drizzle's `meta/_journal.json`. @returns by path; `undefined` when the text is no such list */
export function listingsIn(text: string, by: string): ReadonlyMap<string, Listing> | undefined {
  let entries: unknown;
  try {
    entries = JSON.parse(text).entries;
  } catch {
    return undefined;
  }
  const isEntry = (entry: unknown) => {
    const { tag, when }: { tag?: unknown; when?: unknown } = Object(entry);
    return typeof tag === "string" && typeof when === "number";
  };
  if (!Array.isArray(entries) || !entries.every(isEntry)) return undefined;
  return new Map(entries.map(({ tag, when }, place) => {
    return [`${listedFolder(by)}${tag}.sql`, { by, place, time: `${when}` }] as const;
  }));
}

const LIST = "meta/_journal.json";

export function isList(path: string): boolean {
  return path === LIST || path.endsWith(`/${LIST}`);
}

export function listedFolder(by: string): string {
  return by.slice(0, -LIST.length);
}

/** Files of one list change places with each other alone: all others stay where their paths put them. */
export function inListedOrder<File extends ListedFile>(files: readonly File[]): readonly File[] {
  const queues = Map.groupBy(files.filter(({ listed }) => listed), ({ listed }) => listed!.by);
  for (const queue of queues.values()) queue.sort((a, b) => a.listed!.place - b.listed!.place);
  return files.map((file) => file.listed ? queues.get(file.listed.by)!.shift()! : file);
}

/** Says where the order of a list is not that of the paths. */
export function listNotices(files: readonly ListedFile[]): readonly FileProblem[] {
  const first = files.find((file, index) => {
    const next = files[index + 1];
    return next && isSameList(file, next) && compareCodePoints(file.path, next.path) > 0;
  });
  if (first === undefined) return [];
  const message = `Runs in the order of '${first.listed!.by}', which is not that of the paths`;
  return [{ severity: "warning", path: first.path, message }];
}

function isSameList({ listed: one }: ListedFile, { listed: other }: ListedFile): boolean {
  return one !== undefined && one.by === other?.by;
}

/** Warns of each path that comes before one of a smaller number: `release-10` before `release-2`. */
export function misleadingNumbers(files: readonly ListedFile[]): readonly FileProblem[] {
  return files.slice(1).flatMap((file, index): FileProblem[] => {
    const before = files[index]!;
    const [path, next] = [before.path, file.path];
    if (isSameList(before, file) || compareByNumber(path, next) <= 0) return [];
    const message = `Runs before '${next}', since names are compared by character: ` +
      "write numbers with leading zeros if that is not meant";
    return [{ severity: "warning", path, message }];
  });
}

const PARTS = /=[\da-f]{2}|\d+|=|[^\d=]+/g;

/** Compares runs of digits by their value, everything else by code point. */
function compareByNumber(a: string, b: string): number {
  const left = a.match(PARTS) ?? [];
  const right = b.match(PARTS) ?? [];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [one = "", other = ""] = [left[i], right[i]];
    const difference = /^\d/.test(one) && /^\d/.test(other)
      ? Number(BigInt(one) - BigInt(other))
      : compareCodePoints(one, other);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
