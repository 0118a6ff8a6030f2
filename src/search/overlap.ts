import type { FileProblem } from "../migrations/mod.ts";
import { field } from "./answer.ts";
import { isLongId } from "./record.ts";
import { resourceOf } from "./resource.ts";
import type { SearchMigration } from "./types.ts";

/**
 * What is wrong between files: two that make one resource (the last in order counts), and templates of one priority whose
 * patterns can match one index, which a cluster refuses. Paths that are too long for an id are worth a warning.
 *
 * @param migrations of one connection, in order
 */
export function checkTogether(
  connection: string,
  migrations: readonly SearchMigration[],
): readonly FileProblem[] {
  return [...twins(migrations), ...collisions(migrations), ...longIds(connection, migrations)];
}

function* twins(migrations: readonly SearchMigration[]): Iterable<FileProblem> {
  const seen = new Map<string, string>();
  for (const migration of migrations) {
    const { kind, file } = migration;
    const resource = resourceOf(migration);
    if (resource === undefined || (resource.effect === "part" && kind !== "index")) continue;
    const { key, effect } = resource;
    const other = seen.get(key);
    if (effect === "gone") {
      seen.delete(key);
      continue;
    }
    if (other !== undefined) {
      const message = `Makes the ${key.replace("_", " ")} that '${other}' makes too: ` +
        (kind === "index" ? "the first one counts" : "the last one counts");
      yield { severity: "warning", path: file.path, message };
    }
    seen.set(key, file.path);
  }
}

interface Template {
  readonly path: string;
  readonly patterns: readonly string[];
  readonly priority: number;
}

/** Follows the files in order, as the cluster will see them: a template may be replaced or deleted on the way. */
function* collisions(migrations: readonly SearchMigration[]): Iterable<FileProblem> {
  const templates = new Map<string, Template>();
  for (const migration of migrations) {
    const resource = resourceOf(migration);
    if (!resource?.key.startsWith("index_template ")) continue;
    if (resource.effect === "gone") {
      templates.delete(resource.key);
      continue;
    }
    const second = templateOf(migration.file.path, resource.wanted);
    for (const [key, first] of templates) {
      const clash = key === resource.key ? undefined : clashOf(first, second);
      if (clash === undefined) continue;
      const message = `The patterns ${clash} of '${first.path}' and this file match the same ` +
        `indices at one priority (${second.priority}), which the cluster refuses: give one ` +
        "another 'priority'";
      yield { severity: "error", path: second.path, message };
    }
    templates.set(resource.key, second);
  }
}

function* longIds(
  connection: string,
  migrations: readonly SearchMigration[],
): Iterable<FileProblem> {
  for (const { file: { path } } of migrations) {
    if (!isLongId(connection, path)) continue;
    const message = "The path is over 512 bytes, too long for an id: the record has its SHA-256";
    yield { severity: "warning", path, message };
  }
}

function templateOf(path: string, wanted: unknown): Template {
  const patterns = field(wanted, "index_patterns");
  const priority = field(wanted, "priority");
  return {
    path,
    patterns: Array.isArray(patterns) ? patterns.filter((p) => typeof p === "string") : [],
    priority: typeof priority === "number" ? priority : 0,
  };
}

function clashOf(first: Template, second: Template): string | undefined {
  if (first.priority !== second.priority) return undefined;
  for (const a of first.patterns) {
    for (const b of second.patterns) if (overlap(a, b)) return `'${a}' and '${b}'`;
  }
}

/** Whether some text matches both patterns, in which `*` stands for any text. */
export function overlap(a: string, b: string): boolean {
  // Most pairs differ before their first star, and there are many pairs.
  const [start, other] = [a.slice(0, starOf(a)), b.slice(0, starOf(b))];
  if (!start.startsWith(other) && !other.startsWith(start)) return false;
  // Row i, column j: whether what is left of a from i and of b from j have a text in common.
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

function starOf(pattern: string): number {
  const star = pattern.indexOf("*");
  return star < 0 ? pattern.length : star;
}
