import { changedSince, filesOf } from "./_changes.ts";
import { type Choice, Chooser, type Chosen } from "./_choose.ts";
import { isServer, type Need, type TestFile } from "./_test_files.ts";

/**
 * The tests that a change can reach, after it has said which and why. They need only the servers that start for one of
 * them.
 *
 * @param ref a commit; by default where the branch left `main`
 */
export async function changedTests(
  ref: string | undefined,
  tests: readonly TestFile[],
): Promise<readonly TestFile[]> {
  const changed = await changedSince(ref);
  const choice = (await Chooser.of(tests, await filesOf())).choose(changed);
  const started = new Set<Need>(
    choice.chosen.flatMap(({ file, hasServers }) => hasServers ? [...file.needs] : []),
  );
  const needed = ({ file }: Chosen): TestFile => ({
    ...file,
    needs: new Set([...file.needs].filter((need) => !isServer(need) || started.has(need))),
  });
  console.log(describe(choice, changed.size, tests.length).join("\n"));
  return choice.chosen.map(needed);
}

function describe(
  { chosen, all, unreached }: Choice,
  changes: number,
  count: number,
): readonly string[] {
  const head = `${changes} changed files reach ${chosen.length} of ${count} files of tests`;
  if (all !== undefined) return [`${head}: ${all}`];
  const width = Math.max(0, ...chosen.map(({ file }) => file.path.length));
  const without = chosen.filter(({ file, hasServers }) =>
    !hasServers && [...file.needs].some(isServer)
  );
  const names = without.map(({ file }) => file.path).join(", ");
  return [
    `${head}:`,
    ...chosen.map(({ file, because }) => `  ${file.path.padEnd(width)}  ${because}`),
    ...(without.length > 0 ? [`without servers, which the change does not ask for: ${names}`] : []),
    ...unreached.map((path) => `no test reaches ${path}`),
  ];
}
