import { ConfigError } from "../../../../config/mod.ts";
import { escaped } from "../../../../text/mod.ts";
import type { FileProblem } from "../../../runner/mod.ts";
import type { SqlOffer } from "../../offers.ts";
import { isBinding } from "./address.ts";
import { databaseOf } from "./wrangler.ts";

/** Drizzle's own migrator applies these, whatever the pattern for wrangler is. */
const OF_DRIZZLE = /^[^/]+\/migration\.sql$/;

/** @throws {ConfigError} when wrangler's configuration does not have the database, or its pattern cannot be read */
export async function unappliedProblems(
  { datasource, environment }: SqlOffer,
  paths: readonly string[],
): Promise<readonly FileProblem[]> {
  if (isBinding(datasource)) return [];
  const { file, migrations: { dir, pattern } } = await databaseOf(datasource, environment);
  const below = dir === "." ? "" : `${dir}/`;
  // Only what is behind the folder is a pattern for wrangler.
  const applied = expressionFor(pattern.startsWith(below) ? pattern.slice(below.length) : pattern);
  if (!applied) {
    throw new ConfigError(`Cannot read 'migrations_pattern' of '${file}': '${pattern}'`);
  }
  return paths.filter((path) => !applied.test(path) && !OF_DRIZZLE.test(path)).map((path) => {
    const isNamed = path.endsWith(".sql");
    const message =
      `wrangler does not apply '${path}' (it applies '${pattern}'): move it out of '${dir}', or ` +
      (isNamed ? `set 'migrations_pattern' to '${below}**/*.sql'` : "let its name end in '.sql'");
    return { severity: "error", path, message };
  });
}

function expressionFor(glob: string): RegExp | undefined {
  try {
    return new RegExp(`^${expressionOf(glob)}$`);
  } catch {
    return undefined;
  }
}

const PARTS = /(?<![^/])\*\*(?:\/|$)|\*+|\?|\[[^\]\\]+\]|\{[^{}]+\}|./gs;

/** A regular expression for a glob as wrangler reads it; hidden files, which its stars leave out, are none of ours. */
function expressionOf(glob: string): string {
  return glob.replace(PARTS, (part) => {
    if (part === "**/") return "(?:[^/]+/)*";
    if (part === "**") return ".*";
    if (part.startsWith("*")) return "[^/]*";
    if (part === "?") return "[^/]";
    if (part.length === 1) return escaped(part);
    const inner = part.slice(1, -1);
    if (part.startsWith("[")) return `[${inner.replace(/^!/, "^")}]`;
    return `(?:${inner.split(",").map(expressionOf).join("|")})`;
  });
}
