import { deno, type Step } from "./_run.ts";
import { docLint } from "./doc_lint.ts";
import { WITH_CODE } from "./docs/pages.ts";
import { plainWords } from "./plain_words.ts";
import { publishCheck } from "./publish_check.ts";
import { spellCheck } from "./spell_check.ts";

/** The checks that a commit must pass. */
export const CHECKS: readonly Step[] = [
  { name: "format", run: () => deno(["fmt", "--check"]) },
  { name: "lint", run: () => deno(["lint"]) },
  { name: "types", run: () => deno(["check", "."]) },
  { name: "documentation of public symbols", run: docLint },
  {
    name: "examples in documentation",
    run: () => deno(["test", "-A", "--doc", "--quiet", ...WITH_CODE, "mod.ts", "src"]),
  },
  { name: "spelling", run: () => spellCheck() },
  { name: "plain words", run: () => plainWords() },
  { name: "publish, dry run", run: publishCheck },
];
