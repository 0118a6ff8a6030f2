import { changedSince, type Changes, filesOf } from "./_changes.ts";
import { type Choice, Chooser } from "./_choose.ts";
import { type Need, SERVER_NEEDS } from "./_groups.ts";
import type { TestFile } from "./_test_files.ts";

/**
 * The tests that a change can reach, after it has said which and why. A server starts that one of them asks for.
 *
 * @param ref a commit; by default where the branch left `main`
 * @param isList whether it names the tests where these are all, too
 */
export async function changedTests(
  ref: string | undefined,
  tests: readonly TestFile[],
  isList: boolean,
): Promise<{
  readonly reached: readonly TestFile[];
  /** Servers that do not start, and why. */
  readonly unasked: readonly (readonly [Need, string])[];
}> {
  const changes = await changedSince(ref);
  const choice = (await Chooser.of(tests, await filesOf())).choose(changes.files);
  const started = new Set(choice.chosen.flatMap(({ needs }) => [...needs]));
  console.log(describe(choice, changes, tests.length, isList).join("\n"));
  const unasked = SERVER_NEEDS.filter((need) => !started.has(need));
  return {
    reached: choice.chosen.map(({ file }) => file),
    unasked: unasked.map((need) => [need, "the change does not ask for it"]),
  };
}

function describe(
  { chosen, all, unreached }: Choice,
  { files, since }: Changes,
  count: number,
  isList: boolean,
): readonly string[] {
  const head = [
    `compared with ${since}`,
    `${files.size} changed files reach ${chosen.length} of ${count} files of tests`,
  ].join("\n");
  if (all !== undefined) {
    return [`${head}: ${all}`, ...(isList ? chosen.map(({ file }) => `  ${file.path}`) : [])];
  }
  const width = Math.max(0, ...chosen.map(({ file }) => file.path.length));
  const without = chosen.filter(({ file, needs }) => needs.size < file.needs.size);
  const names = without.map(({ file }) => file.path).join(", ");
  return [
    `${head}:`,
    ...chosen.map(({ file, because }) => `  ${file.path.padEnd(width)}  ${because}`),
    ...(without.length > 0 ? [`without a server that the change does not ask for: ${names}`] : []),
    ...unreached.map((path) => `no test reaches ${path}`),
  ];
}
