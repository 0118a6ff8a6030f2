import { dirname, join } from "@std/path/posix";

/** Rooms in their order: one imports only those before it. */
export const ROOMS = [
  "runtime",
  "config",
  "http",
  "container",
  "web",
  "app",
  "migrations",
  "search",
  "sql",
  "migrate",
  "cli",
  "testing",
];
const WEB = ["http", "container", "web", "app", "testing"];
const MIGRATIONS = ["migrations", "search", "sql", "migrate"];
/** Where database drivers, which are built into runtimes, are loaded. */
const DRIVERS = "src/sql/drivers.ts";

/** Sources by path from the root of the repository. */
export type Sources = ReadonlyMap<string, string>;

/** Every break of the rules of the architecture, as `file: what`. */
export function violations(sources: Sources): string[] {
  const found: string[] = [];
  for (const [path, source] of sources) {
    const code = withoutComments(source);
    for (const specifier of importsOf(code)) {
      const problem = importProblem(path, specifier);
      if (problem) found.push(`${path}: ${problem}`);
    }
    found.push(...codeProblems(path, code).map((problem) => `${path}: ${problem}`));
  }
  return [...found, ...cycles(sources)];
}

function importProblem(path: string, specifier: string): string | undefined {
  const room = roomOf(path);
  if (specifier.startsWith("node:")) {
    return room === "runtime" || path === DRIVERS ? undefined : `imports '${specifier}'`;
  }
  if (!specifier.startsWith(".")) return undefined;
  const target = join(dirname(path), specifier);
  if (!/^(?:src\/|mod\.ts$)/.test(target)) return `imports '${target}', which is not in src`;
  const other = roomOf(target);
  if (room === undefined) {
    return target.endsWith("/mod.ts") ? undefined : `imports past the door of '${other}'`;
  }
  if (other === room) return target === `src/${room}/mod.ts` ? "imports its own mod.ts" : undefined;
  if (other === undefined || !ROOMS.includes(other)) {
    return `imports '${target}', which is in no room`;
  }
  if (target !== `src/${other}/mod.ts`) return `imports past the door of '${other}'`;
  if (ROOMS.indexOf(other) > ROOMS.indexOf(room)) return `imports '${other}', which is above it`;
  const apart = (WEB.includes(room) && MIGRATIONS.includes(other)) ||
    (MIGRATIONS.includes(room) && WEB.includes(other));
  return apart ? `imports '${other}' of the other half` : undefined;
}

function codeProblems(path: string, code: string): string[] {
  const problems: string[] = [];
  const room = roomOf(path);
  const [runtime] = /\b(?:Deno|Bun|process)\b(?=\s*[.[?])/.exec(withoutTexts(code)) ?? [];
  if (runtime !== undefined && room !== "runtime") problems.push(`names '${runtime}'`);
  if (/^\s*@[A-Za-z]\w*\(/m.test(code)) problems.push("has decorator syntax");
  return problems;
}

/** Cycles of imports, each once. */
function cycles(sources: Sources): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      found.push(`cycle: ${[...trail.slice(trail.indexOf(path)), path].join(" → ")}`);
      return;
    }
    if (done.has(path)) return;
    for (const specifier of importsOf(withoutComments(sources.get(path) ?? ""))) {
      if (specifier.startsWith(".")) visit(join(dirname(path), specifier), [...trail, path]);
    }
    done.add(path);
  };
  for (const path of sources.keys()) visit(path, []);
  return found;
}

function roomOf(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1];
}

/** What a module imports or exports from: static, dynamic and type imports. */
function importsOf(code: string): string[] {
  const statements =
    /\b(?:import|export)\b[^"'`;()]*?\bfrom\s*"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/g;
  return [...code.matchAll(statements)].map(([, from, direct]) => (from ?? direct)!);
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$|(?<=[;{},)\s])\/\/ .*$/gm, "");
}

function withoutTexts(code: string): string {
  return code.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '""');
}
