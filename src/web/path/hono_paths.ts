import type { Pattern, Segment } from "./pattern.ts";
import { encodeSegment } from "./routing_path.ts";
import { parameterName } from "./variables.ts";

/**
 * Chooses Hono's path of each pattern. Two patterns must not have a text and a variable at the same place, as Hono's fastest
 * router rejects such pairs: there both get a parameter, and a guard compares the text.
 */
export function honoPaths(patterns: readonly Pattern[]): readonly string[] {
  const paths = patterns.map(() => "");
  extend(patterns.map((_, index) => index), 0);
  return paths.map((path) => path === "" ? "/" : path);

  function extend(indices: readonly number[], depth: number): void {
    const segmentOf = (index: number) => patterns[index]!.segments[depth]!;
    const longer = indices.filter((index) => segmentOf(index));
    const dynamic = longer.some((index) => isDynamic(segmentOf(index)));
    const segmentText = (index: number) => honoSegment(segmentOf(index), depth, dynamic);
    for (const [text, group] of Map.groupBy(longer, segmentText)) {
      for (const index of group) paths[index] += `/${text}`;
      extend(group, depth + 1);
    }
  }
}

const PLAIN = /^[\w.~-]*$/;

function isDynamic(segment: Segment): boolean {
  return segment.kind === "literal" ? isEscaped(segment) : segment.kind !== "rest";
}

/** Whether a text may be written in several ways in a URL. */
export function isEscaped(segment: Segment): boolean {
  return segment.kind === "literal" && !PLAIN.test(segment.text);
}

function honoSegment(segment: Segment, depth: number, dynamic: boolean): string {
  if (segment.kind === "rest") return "*";
  // A closing slash is an empty segment, which a parameter never matches.
  if (segment.kind === "literal" && (!dynamic || segment.text === "")) {
    return encodeSegment(segment.text);
  }
  return `:${parameterName(depth)}`;
}

interface Group<E> {
  readonly method: string;
  readonly path: string;
  readonly candidates: E[];
}

/** A path with a rest (`/**`) overlaps others, so that groups must not move across it. */
export function groupsOf<
  E extends { readonly path: string; readonly route: { readonly method: string } },
>(entries: readonly E[]): readonly Group<E>[] {
  const groups: Group<E>[] = [];
  let open = new Map<string, Group<E>>();
  for (const entry of entries) {
    const { path, route: { method } } = entry;
    const key = `${method} ${path}`;
    if (path.endsWith("*") && open.get(key) !== groups.at(-1)) open = new Map();
    const group = open.get(key) ?? { method, path, candidates: [] };
    if (group.candidates.push(entry) === 1) groups.push(group);
    open.set(key, group);
  }
  return groups;
}

export function overlap(ones: readonly string[], others: readonly string[]): boolean {
  if (others.some((other) => /[*?{]/.test(other))) return true;
  return ones.length === others.length && ones.every((segment, index) => {
    const against = others[index]!;
    return segment === against || segment && against && /^:|\n:/.test(`${segment}\n${against}`);
  });
}
