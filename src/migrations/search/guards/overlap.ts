import type { FileProblem } from "../../runner/mod.ts";
import { clashes } from "../json/compare.ts";
import { endingOf } from "../files/conventions.ts";
import { KINDS, resourceOf, wordsFor } from "../kinds/resource.ts";
import type { IndexClaim, Kind } from "../kinds/types.ts";
import { isLongId } from "../journal/records.ts";
import type { SearchConnection, SearchMigration } from "../types.ts";

/**
 * Problems between files: two that make one resource (the last one counts), and templates of one priority whose
 * patterns can match one index, which a cluster rejects. A path that is too long for an id is a warning.
 */
export function checkTogether(
  { name: connection, changesIndices = false }: Pick<SearchConnection, "name" | "changesIndices">,
  migrations: readonly SearchMigration[],
): readonly FileProblem[] {
  return [
    ...twins(migrations, changesIndices),
    ...twinSettings(migrations),
    ...collisions(migrations),
    ...longIds(connection, migrations),
    ...misnamed(migrations),
  ];
}

function* twins(
  migrations: readonly SearchMigration[],
  changesIndices: boolean,
): Iterable<FileProblem> {
  const seen = new Map<string, string>();
  for (const { kind, file, request } of migrations) {
    const resource = resourceOf(request);
    if (resource === undefined || (resource.effect === "part" && kind !== "index")) continue;
    const { key, effect } = resource;
    const other = seen.get(key);
    if (effect === "gone") {
      seen.delete(key);
      continue;
    }
    if (other !== undefined) {
      const isError = kind === "index" && changesIndices;
      const message = `Makes the ${wordsFor(resource)} that '${other}' makes too: ` +
        (isError
          ? "with 'index_changes: reindex' each would undo the other"
          : `the ${kind === "index" ? "first" : "last"} one counts`);
      yield { severity: isError ? "error" : "warning", path: file.path, message };
    }
    seen.set(key, file.path);
  }
}

function* twinSettings(migrations: readonly SearchMigration[]): Iterable<FileProblem> {
  const said = new Map<string, { readonly path: string; readonly wanted: unknown }[]>();
  for (const { file: { path }, request } of migrations) {
    const resource = resourceOf(request);
    if (!resource?.kind.isMerged || resource.effect === "gone") continue;
    const { key, wanted } = resource;
    const others = said.get(key) ?? [];
    for (const other of others) {
      for (const name of clashes(other.wanted, wanted)) {
        const what = `Sets '${name}' of the ${wordsFor(resource)}`;
        const message = `${what} differently than '${other.path}': the last one counts`;
        yield { severity: "warning", path, message };
      }
    }
    said.set(key, [...others, { path, wanted }]);
  }
}

interface Claim extends IndexClaim {
  readonly key: string;
  readonly path: string;
}

/** Follows the files in order, because they may replace or delete templates and policies. */
function* collisions(migrations: readonly SearchMigration[]): Iterable<FileProblem> {
  /** By kind, because templates and policies do not conflict. */
  const neighbours = new Map(KINDS.map((kind) => [kind, new Neighbours()]));
  const standing = new Map<string, readonly Claim[]>();
  for (const { file: { path }, request } of migrations) {
    const resource = resourceOf(request);
    if (resource?.kind.claims === undefined) continue;
    const { key, kind, effect } = resource;
    standing.delete(key);
    if (effect === "gone") continue;
    const near = neighbours.get(kind)!;
    const claims = followedClaims(kind, resource.body).map((claim) => ({ ...claim, key, path }));
    standing.set(key, claims);
    for (const second of claims) {
      for (const first of near.of(second)) {
        const clash = standing.get(first.key)?.includes(first) ? clashOf(first, second) : undefined;
        if (clash === undefined) continue;
        const where = first.path === path ? "this file" : `'${first.path}' and this file`;
        const message = `The patterns ${clash} of ${where} match the same indices at one ` +
          `priority (${second.priority}), which the cluster refuses: give one another 'priority'`;
        yield { severity: "error", path, message };
      }
      near.add(second);
    }
  }
}

/** The claims that files alone tell: only the cluster resolves patterns with exclusions. */
export function followedClaims({ claims }: Kind, body: unknown): readonly IndexClaim[] {
  return (claims?.(body) ?? []).filter(({ patterns }) =>
    !patterns.some((pattern) => pattern.startsWith("-"))
  );
}

/** Claims by the start of their patterns: of millions of pairs few can match one index. */
class Neighbours {
  readonly #byFixedPart = new Map<string, Claim[]>();
  readonly #byPrefix = new Map<string, Claim[]>();

  add(claim: Claim): void {
    const push = (map: Map<string, Claim[]>, key: string) =>
      (map.get(key) ?? map.set(key, []).get(key)!).push(claim);
    for (const start of claim.patterns.map(startOf)) {
      push(this.#byFixedPart, start);
      for (const prefix of prefixesOf(start)) push(this.#byPrefix, prefix);
    }
  }

  /** The claims with a pattern whose start is a prefix of that of another, or the other way round. */
  of(claim: Claim): ReadonlySet<Claim> {
    const found = new Set<Claim>();
    for (const start of claim.patterns.map(startOf)) {
      for (const prefix of prefixesOf(start)) {
        for (const other of this.#byFixedPart.get(prefix) ?? []) found.add(other);
      }
      for (const other of this.#byPrefix.get(start) ?? []) found.add(other);
    }
    return found;
  }
}

export function startOf(pattern: string): string {
  return pattern.split("*", 1)[0] ?? "";
}

function prefixesOf(text: string): readonly string[] {
  return Array.from({ length: text.length + 1 }, (_, length) => text.slice(0, length));
}

function* longIds(
  connection: string,
  migrations: readonly SearchMigration[],
): Iterable<FileProblem> {
  for (const { file: { path } } of migrations) {
    if (!isLongId(connection, path)) continue;
    const message = "The path is over 512 bytes, too long for an id: the record uses its SHA-256";
    yield { severity: "warning", path, message };
  }
}

/** The content counts before the ending of the name (reference 4.4). */
function* misnamed(migrations: readonly SearchMigration[]): Iterable<FileProblem> {
  for (const { kind, file: { path }, request } of migrations) {
    const ending = kind === "index" ? endingOf(path) : undefined;
    if (ending === undefined) continue;
    const message =
      `Makes the index of '${request.path}', although its name ends with '-${ending}': ` +
      "'settings', 'mappings' and 'aliases' at the top of a file make an index";
    yield { severity: "warning", path, message };
  }
}

function clashOf(first: Claim, second: Claim): string | undefined {
  if (first.priority !== second.priority) return undefined;
  for (const a of first.patterns) {
    for (const b of second.patterns) if (overlap(a, b)) return `'${a}' and '${b}'`;
  }
}

export function overlap(a: string, b: string): boolean {
  // Row i, column j: whether the rest of a from i and that of b from j match one text.
  let row = new Array<boolean>(b.length + 1).fill(false);
  for (let i = a.length; i >= 0; i--) {
    const next = row;
    row = new Array<boolean>(b.length + 1).fill(false);
    for (let j = b.length; j >= 0; j--) {
      if (i === a.length && j === b.length) row[j] = true;
      else if (a[i] === "*") row[j] = next[j]! || (j < b.length && row[j + 1]!);
      else if (b[j] === "*") row[j] = row[j + 1]! || (i < a.length && next[j]!);
      else row[j] = i < a.length && j < b.length && a[i] === b[j] && next[j + 1]!;
    }
  }
  return row[0]!;
}
