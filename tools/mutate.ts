/**
 * Changes the examples in one place at a time, and says what catches each change; writes `docs/proofs/mutation.md`.
 */
import { DETECTORS, type Outcome, runMutation } from "./_mutation.ts";
import { deno } from "./_run.ts";

const started = performance.now();
const outcomes = await runMutation();
const survivors = outcomes.filter(({ caughtBy }) => caughtBy.length === 0);
const kinds = [...new Set(outcomes.map(({ mutant }) => mutant.kind))].sort();
const rows = kinds.map((kind) =>
  rowOf(kind, outcomes.filter(({ mutant }) => mutant.kind === kind))
);
const text = `<!-- Written by 'deno task mutate' on ${new Date().toISOString().slice(0, 10)}. -->

# Mutants of the examples

Each field that is returned, status, thrown problem, type, name and default of a parameter, enumeration and limit of
\`examples/users\`, \`examples/tracks\` and \`tests/mutation/shop\` was changed, and each annotation of
security removed, one at a time. A mutant counts for each that caught it; \`startup\` is an application that does not
start. The own tests were asked about what nothing else caught, and about annotations.

| what | mutants | ${DETECTORS.join(" | ")} | survived |
| ---- | ${[...DETECTORS, "", ""].map(() => "----").join(" | ")} |
${[...rows, rowOf("**all**", outcomes)].join("\n")}

## Survivors

A reason is computed from the documents before and after the change; what has none is a gap.

${
  survivors.map(({ project, mutant, evidence }) =>
    `- ${project}, \`${mutant.file}:${mutant.line}\`, ${mutant.kind}: \`${mutant.change}\`: ${
      evidence ?? "**a gap**"
    }`
  ).join("\n") || "None."
}
`;
const path = new URL("../docs/proofs/mutation.md", import.meta.url);
await Deno.writeTextFile(path, text);
await deno(["fmt", "--quiet", path.pathname]);
const seconds = Math.round((performance.now() - started) / 1000);
console.log(`${outcomes.length} mutants, ${survivors.length} survived (${seconds} s)`);

function rowOf(name: string, own: readonly Outcome[]): string {
  const counts = DETECTORS.map((detector) =>
    own.filter(({ caughtBy }) => caughtBy.includes(detector)).length
  );
  const survived = own.filter(({ caughtBy }) => caughtBy.length === 0).length;
  return `| ${[name, own.length, ...counts, survived].join(" | ")} |`;
}
