import { dirname, join } from "@std/path/posix";
import { JOINING } from "../tests/architecture/rules.ts";
import manifest from "../deno.json" with { type: "json" };

/** The way to a module that only those take who have one of its names. */
export interface Door {
  readonly target: string;
  readonly names: RegExp;
  /** Whether the target itself acts in each run, and only what it imports is behind the door. */
  readonly isInRuns?: boolean;
}

/** Modules that pack the library and name its entries: tests that use these reach the entries that they name. */
const PACKAGES = ["tools/build_npm.ts", "deno.json"];
/** Tests of the package are of the web unless they run its command line, or migrate. */
const OF_PACKAGE: Readonly<Record<string, RegExp>> = {
  ".": /^/,
  "./cli": /\b[Mm]igrat|\.bin\/irori|\birori\/bin\.js|\bBIN\b/,
};
const JOINTS = [...JOINING, "src/cli/web.ts"];
const REGISTRY = /^src\/features\/[^/]+\.ts$/;
const FEATURE = /^src\/features\/([^/]+)\//;
/** Words in tests that reach features without a command which act in runs, or read their results. */
const ACTS_ON: Readonly<Record<string, RegExp>> = {
  monitoring: /trac(?:er|ing)|\bspans?\b|telemetry/i,
  lint: /\blint|\bvalidate\b/,
  backfills: /\b[Bb]ackfill|irori: after/,
  schema: /schema_file|drift_ignore/,
  parts: /\btenants?\b|\beach:|--only/i,
  tenants: /\btenants?\b|\beach:|--only/i,
  fleets: /\bfleets?\b|\bclusters:|--only/i,
  sigv4: /\baws\b|sigv4/i,
  reindex: /\b[Rr]eindex|index_changes|old_indices/,
  policy_effects: /polic(?:y|ies)/i,
  template_changes: /\b[Rr]ollover|template_changes|_index_template|-template\.json/,
  lock_out: /_security|lock.?out/i,
  file_schemas: /\bvalidate\b|misfit/,
  formats: /--format|\bgithub\b|gitlab|sarif|markdown/,
  openapi: /\bopenapi\b|\broutes\b/,
};
/** Keys of the registry for them. */
const IN_RUNS = ["moments", "adds", "reads"];

/**
 * The doors of the modules that join all features: entry modules, the registry, the npm package. A name that is exported,
 * a command, a key of the configuration, or the name of the feature leads to the module behind it. Other imports are no
 * doors.
 */
export function doorsOf(path: string, text: string): readonly Door[] {
  if (PACKAGES.includes(path)) return packageDoors();
  if (!JOINTS.includes(path) && !REGISTRY.test(path)) return [];
  const exported = text.matchAll(/^export \{([^}]*)\} from "([^"]+)";/gm)
    .map(([, list = "", specifier = ""]) => ({
      names: anyOf(list.replaceAll(/\btype\b/g, "").match(/\w+/g) ?? []),
      target: join(dirname(path), specifier),
    }))
    .filter(({ target }) => FEATURE.test(target));
  const loaded = text.matchAll(/"?([\w.-]+)"?: (?:async )?\([^)]*\) =>[^;]*?import\("([^"]+)"\)/g)
    .map(([, key = "", specifier = ""]) => {
      const target = join(dirname(path), specifier);
      const [, feature = ""] = FEATURE.exec(target) ?? [];
      const isInRuns = IN_RUNS.includes(key);
      const names = isInRuns ? ACTS_ON[feature] : keyOrCommand(key);
      return { names: names ?? /^/, target, isInRuns };
    });
  return [...exported, ...loaded];
}

function packageDoors(): readonly Door[] {
  return Object.entries(manifest.exports).map(([name, path]) => ({
    target: join(path),
    names: OF_PACKAGE[name] ?? anyOf([join("irori", name)]),
  }));
}

function anyOf(words: readonly string[]): RegExp {
  return new RegExp(String.raw`(?<![\w-])(?:${words.map(RegExp.escape).join("|")})(?![\w-])`);
}

/** A command that other programs have, too. */
const BUILD = /\b(?:irori|\}) build\b|\bbin\.js\b.*"build"|"build \S+\.ts\b/;

/** A command as an argument or in a shell. A key of the configuration, whose parts stand on lines of their own in YAML. */
function keyOrCommand(name: string): RegExp {
  if (name === "build") return BUILD;
  if (name.includes(".")) {
    return new RegExp(name.split(".").map((part) => String.raw`\b${part}\b`).join("[^]{1,200}?"));
  }
  return new RegExp(String.raw`(["'\`])${name}\1|(?:\birori|\}) ${name}\b|\b${name} -`);
}

/** A file that packs all sources, runs all tests, or starts all servers leads through its doors and to tools alone. */
export function isClosed(path: string): boolean {
  return [...PACKAGES, "tools/test.ts", "tools/_servers.ts"].includes(path);
}
