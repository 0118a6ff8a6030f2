import { isServer, type Need, type TestFile } from "./_test_files.ts";

/** Values of `--servers`. */
export const SERVER_CHOICES = ["all", "sql", "search", "none"] as const;
export type ServerChoice = typeof SERVER_CHOICES[number];

/** Variables by which tests learn why a server is not there, without `_MISSING`. */
const PREFIXES: Readonly<Partial<Record<Need, readonly string[]>>> = {
  sql: ["TEST_PG", "TEST_PGBOUNCER", "TEST_MYSQL"],
  search: ["OPENSEARCH", "OPENSEARCH_3", "ELASTICSEARCH_8", "ELASTICSEARCH_9"]
    .map((name) => `IRORI_TEST_${name}`),
};

/**
 * Files without the need of servers that a choice leaves out: their tests that use one are skipped.
 *
 * @returns the variables that tell these tests why, too
 */
export function withServers(
  files: readonly TestFile[],
  choice: ServerChoice,
): { readonly files: readonly TestFile[]; readonly env: Readonly<Record<string, string>> } {
  if (choice === "all") return { files, env: {} };
  const isLeftOut = (need: Need) => isServer(need) && need !== choice;
  const reason = `left out by '--servers ${choice}'`;
  const variables = (Object.keys(PREFIXES) as Need[]).filter(isLeftOut)
    .flatMap((need) => PREFIXES[need] ?? []);
  return {
    files: files.map((file) => ({
      ...file,
      needs: new Set([...file.needs].filter((need) => !isLeftOut(need))),
    })),
    env: Object.fromEntries(variables.map((variable) => [`${variable}_MISSING`, reason])),
  };
}
