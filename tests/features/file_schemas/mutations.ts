/** Mistakes in files, made from a seed: each names where it is. */
import { findNodeAtLocation, parseTree } from "jsonc-parser";

/** Keys and indices from the root. */
export type Path = readonly (string | number)[];

export const KINDS = [
  "misspelt key",
  "wrong kind",
  "wrong word",
  "misplaced key",
  "missing",
] as const;

export interface Mistake {
  readonly file: string;
  readonly kind: typeof KINDS[number];
  /** Where it was in the file before. */
  readonly at: Path;
  /** The new key, the new value, or the object that the key is now in. */
  readonly change?: unknown;
}

export interface MadeFile {
  readonly file: string;
  readonly value: unknown;
  readonly text: string;
  /** Offsets that name it: of the key or of its value; of a missing key those of the object. */
  readonly offsets: readonly number[];
}

/** Numbers from 0 to 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function makeMistake(
  files: Readonly<Record<string, unknown>>,
  seed: number,
): Mistake | undefined {
  const random = randomOf(seed);
  const one = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  const kind = one(KINDS);
  const file = one(Object.keys(files));
  const places = [...placesIn(files[file])];
  const named = places.filter(({ path, value }) =>
    isOwn(path) && (kind !== "wrong word" || isWord(value))
  );
  if (named.length === 0) return undefined;
  const { path, value } = one(named);
  const key = String(path.at(-1));
  switch (kind) {
    case "misspelt key":
      if (key.length < 4) return undefined;
      return { file, kind, at: path, change: misspelt(key, random) };
    case "wrong kind": {
      const others = [{ my: 1 }, ["my"], 7.5, true, "my word", null]
        .filter((other) => kindOf(other) !== kindOf(value));
      return { file, kind, at: path, change: one(others) };
    }
    case "wrong word":
      return { file, kind, at: path, change: one([misspelt(String(value), random), "sideways"]) };
    case "misplaced key": {
      const isInside = (inner: Path) => path.every((part, index) => inner[index] === part);
      const targets = places.filter(({ path: other, value }) =>
        kindOf(value) === "object" && !isInside(other) && !Object.hasOwn(value as object, key) &&
        other.join() !== path.slice(0, -1).join()
      );
      return targets.length === 0 ? undefined : { file, kind, at: path, change: one(targets).path };
    }
    case "missing":
      return { file, kind, at: path };
  }
}

/** Whether the key is a word of the server: the user's begin with `my`. */
function isOwn(path: Path): boolean {
  const key = path.at(-1);
  return typeof key === "string" && !/^(?:my|@)/.test(key);
}

function isWord(value: unknown): boolean {
  return typeof value === "string" && /^(?!my)[a-z_0-9]{3,}$/i.test(value);
}

function misspelt(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 2));
  const letter = "abcdefghijklmnopqrstuvwxyz"[Math.floor(random() * 26)]!;
  const [before, after] = [word.slice(0, at), word.slice(at)];
  const made = [
    before + after.slice(1),
    before + letter + after,
    before + letter + after.slice(1),
    before + (after[1] ?? "") + after[0] + after.slice(2),
  ][Math.floor(random() * 4)]!;
  return made === word ? `${word}s` : made;
}

function* placesIn(value: unknown, path: Path = []): Iterable<{ path: Path; value: unknown }> {
  yield { path, value };
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield* placesIn(inner, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

type Container = Record<string | number, unknown>;

export function apply(
  files: Readonly<Record<string, unknown>>,
  { file, kind, at, change }: Mistake,
): MadeFile {
  const value = structuredClone(files[file]) as Container;
  const key = at.at(-1)!;
  const parent = containerAt(value, at.slice(0, -1));
  let place: Path = at;
  if (kind === "misspelt key") {
    rename(parent, key, change as string);
    place = [...at.slice(0, -1), change as string];
  } else if (kind === "missing") {
    delete parent[key];
    place = at.slice(0, -1);
  } else if (kind === "misplaced key") {
    containerAt(value, change as Path)[key] = parent[key];
    delete parent[key];
    place = [...change as Path, key];
  } else parent[key] = change;
  const text = `${JSON.stringify(value, null, 2)}\n`;
  // A key that is elsewhere is missing where it was.
  const places = kind === "misplaced key" ? [place, at.slice(0, -1)] : [place];
  const offsets = places.flatMap((place) => {
    const node = findNodeAtLocation(parseTree(text)!, [...place])!;
    return [node.offset, node.parent?.type === "property" ? node.parent.offset : node.offset];
  });
  return { file, value, text, offsets };
}

function containerAt(value: Container, path: Path): Container {
  return path.reduce((inner, part) => inner[part] as Container, value);
}

function rename(container: Container, from: string | number, to: string): void {
  const entries = Object.entries(container);
  for (const [key] of entries) delete container[key];
  for (const [key, value] of entries) container[key === from ? to : key] = value;
}
