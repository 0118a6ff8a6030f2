// plain-words: quoted
/**
 * Finds words of a private dialect in code and documentation, and says what to write in their place: CONTRIBUTING.md has
 * the rules. A line that quotes a standard or a server is exempt when it, or the line above it, contains
 * `plain-words: quoted`; a file that has it in its first line is exempt as a whole.
 *
 * Usage: `deno run -A tools/plain_words.ts [file or folder …]`
 */
import { git } from "./_changes.ts";

/** The texts that `deno task ok` checks. */
const TEXTS = [
  "src",
  "docs",
  "benches",
  "examples",
  "templates",
  "tests",
  "tools",
  "cli.ts",
  "create.ts",
  "mod.ts",
  "AGENTS.md",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "README.md",
  "SECURITY.md",
];
const MARKER = "plain-words: quoted";

/** Words and phrases, as the source of a regular expression, and the plain form. */
const WORDS: readonly (readonly [words: string, plain: string])[] = [
  ["(?:this|second|only|front) doors?", "entry file, mod.ts, export"],
  ["(?:this|other|second) rooms?", "layer, folder"],
  ["nobody", "name what acts: no user, no key, no bean, no handler"],
  ["anybody", "name what acts, or use the passive"],
  ["(?:has|have) gone", "has left, was closed"],
  ["somebody", "name what acts: another run, a client, a user"],
  ["whoever", "the user that …, the client that …"],
  ["anew", "again"],
  ["(?:is|are|was|were|be|been) gone", "was deleted, no longer exists"],
  ["one's own", "custom"],
  ["ways? over", "migrating from …"],
  ["ways? back", "rolling back"],
  ["from time to time", "periodically; as a title: Recurring jobs"],
  ["says nothing", "has no annotation, declares nothing"],
  ["(?:is|are|was|were|be|been) told", "receives, is configured"],
  ["what became of", "the result of, the state of"],
  ["tables? of records", "history table"],
  ["where it is meant", "if this is intentional"],
  ["mend(?:s|ed|ing)?", "fix, repair"],
  ["stands? for the same", "match the same"],
  ["hears? of|heard of", "learn of, receive"],
  ["(?:is|are|was|were) not there", "does not exist"],
  ["it is there", "it exists"],
  ["sees? to", "handle"],
  ["comes? to (?:an|its|the) end", "ends"],
  ["is meant", "names …, is intended"],
  ["yours to (?:catch|add)", "you must catch it, not included"],
  ["make no sense", "are invalid"],
  ["with something in it", "not empty"],
];

/** Names that were replaced, and the names that replaced them. */
const NAMES: Readonly<Record<string, string>> = {
  answering: "mapResponse",
  saidOf: "withoutDefaults",
  Unsaid: "DefaultMembers",
  SAID: "RENDERED_PROPERTIES",
  unsaid: "extraProperties",
  Prospect: "PredictedEffect",
  judged: "predict",
  Outlook: "PredictedEffect",
  sureFirst: "byCertainty",
  hangsOnSize: "dependsOnSize",
  Threat: "AccessLoss",
  threatOf: "accessLossOf",
  Mending: "RepairHandlers",
  relieve: "unblockWrites",
  concerning: "relevantHistories",
  bringerMissed: "missingExtensionHint",
  leftOutBy: "excludingProfile",
  untilNone: "batchLoop",
  keeperOf: "blockingSessionQuery",
  isMeant: "createsIndex",
  saysItHasBody: "declaresBody",
  upgradedInstead: "upgradeResponse",
  forgetRecipe: "invalidateFastPath",
  refuseForgotten: "rejectUndecoratedControllers",
  isUnseen: "hasHiddenFields",
  OpenPart: "AdditionalProperties",
};

/** A place of a word that is to be replaced. */
export interface Hit {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly found: string;
  readonly plain: string;
}

/** A comment that begins like this names its thing again, where a full sentence would say why. */
const OPENINGS = /(?<=\/\*\*(?:\n *\*)? |\/\/ )(?:What|Who|Of)(?= )/g;

const PHRASES = WORDS.map(([words, plain]) => ({ pattern: phrase(words), plain }));
/** Names that are English words too count where they are called. */
const ENGLISH = new Set(["answering", "concerning", "judged", "relieve", "unsaid"]);
const IDENTIFIERS = new RegExp(
  `(?<![\\w-])(?:${
    Object.keys(NAMES).map((name) => ENGLISH.has(name) ? `${name}(?=\\()` : name).join("|")
  })(?![\\w-])`,
  "g",
);

/**
 * The words of a text that are to be replaced. A phrase is found across the end of a line too.
 *
 * @param isCode whether names and the first words of comments are looked for
 */
export function hitsIn(text: string, isCode: boolean): readonly Hit[] {
  const lines = text.split("\n");
  const hits: Hit[] = [];
  const add = (index: number, found: string, plain: string) => {
    const before = text.slice(0, index).split("\n");
    const line = before.length;
    const around = [lines[line - 2] ?? "", lines[line - 1]!];
    if (around.some((text) => text.includes(MARKER))) return;
    hits.push({
      line,
      column: before.at(-1)!.length + 1,
      found: found.replace(/\s+/g, " "),
      plain,
    });
  };
  for (const { pattern, plain } of PHRASES) {
    for (const { index, 0: found } of text.matchAll(pattern)) add(index, found, plain);
  }
  if (isCode) {
    for (const { index, 0: found } of text.matchAll(IDENTIFIERS)) add(index, found, NAMES[found]!);
    for (const { index, 0: found } of text.matchAll(OPENINGS)) {
      add(index, found, "a full sentence that says why");
    }
  }
  return hits.sort((a, b) => a.line - b.line || a.column - b.column);
}

/** The hits of files, and of those in folders, as lines `file:line:column`. */
export async function plainWords(
  places: readonly string[] = TEXTS,
): Promise<{ readonly ok: boolean; readonly output: string }> {
  const found: string[] = [];
  for (const path of (await git(undefined, "ls-files", "-z", "--", ...places)).split("\0")) {
    if (!/\.(?:tsx?|md)$/.test(path)) continue;
    const text = await Deno.readTextFile(path).catch((error) => {
      if (error instanceof Deno.errors.NotFound) return ""; // Deleted, and not committed yet.
      throw error;
    });
    if (text.split("\n", 1)[0]!.includes(MARKER)) continue;
    for (const { line, column, found: words, plain } of hitsIn(text, !path.endsWith(".md"))) {
      found.push(`${path}:${line}:${column} '${words}': ${plain}`);
    }
  }
  return { ok: found.length === 0, output: found.join("\n") };
}

function phrase(words: string): RegExp {
  // In a comment, the next line begins with an asterisk or slashes.
  return new RegExp(`\\b(?:${words.replaceAll(" ", "(?:\\s+(?:\\*|//)?\\s*)")})\\b`, "gi");
}

if (import.meta.main) {
  const { ok, output } = await plainWords(Deno.args.length > 0 ? Deno.args : TEXTS);
  if (!ok) console.log(output);
  Deno.exit(ok ? 0 : 1);
}
