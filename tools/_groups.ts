/** The resources of tests beside Deno: servers, the browser, the packed npm package. */
export type Need = "search" | "sql" | "chromium" | "package";

/** Servers, which take a while to start. */
export const SERVER_NEEDS: readonly Need[] = ["sql", "search"];

export function isServer(need: Need | undefined): boolean {
  return need !== undefined && SERVER_NEEDS.includes(need);
}

/** A server or runtime, by which tests are counted. */
interface Group {
  readonly name: string;
  /** How titles of tests name it. */
  readonly title: RegExp;
  readonly need?: Need;
  /** The prefix of the variables that pass the server to the tests, or say with `_MISSING` why it does not run. */
  readonly prefix?: string;
  /** The version of the cluster. */
  readonly version?: string;
}

/** The servers and runtimes that tests are counted by; a new one is a line here. */
export const GROUPS: readonly Group[] = [
  cluster("OpenSearch 2", "2.19.4", /\(OpenSearch 2,/, "OPENSEARCH"),
  cluster("OpenSearch 3", "3.4.0", /\(OpenSearch 3,/, "OPENSEARCH_3"),
  cluster("Elasticsearch 8", "8.19.21", /\(Elasticsearch 8\)/, "ELASTICSEARCH_8"),
  cluster("Elasticsearch 9", "9.5.3", /\(Elasticsearch 9\)/, "ELASTICSEARCH_9"),
  { name: "PostgreSQL", title: /PostgreSQL/, need: "sql", prefix: "TEST_PG" },
  { name: "PgBouncer", title: /PgBouncer/, need: "sql", prefix: "TEST_PGBOUNCER" },
  { name: "PGlite", title: /PGlite/ },
  { name: "MariaDB", title: /MariaDB|^MySQL/, need: "sql", prefix: "TEST_MYSQL" },
  { name: "SQLite", title: /SQLite/ },
  { name: "Chromium", title: /Chromium/, need: "chromium", prefix: "IRORI_TEST_CHROMIUM" },
  { name: "Node 22", title: /Node 22/ },
  { name: "Node 24", title: /Node (?:22, )?24/ },
  { name: "Bun", title: /\bBun\b/ },
  { name: "Deno", title: /\bDeno\b/ },
  { name: "workerd", title: /workerd/ },
  { name: "Miniflare", title: /Miniflare/ },
];

function cluster(name: string, version: string, title: RegExp, prefix: string): Group {
  return { name, version, title, need: "search", prefix: `IRORI_TEST_${prefix}` };
}

const SERVERS = GROUPS.filter(({ need }) => isServer(need));

/** Servers by the names under which their processor time is measured. */
export const MEASURED: ReadonlyMap<string, readonly Group[]> = Map.groupBy(
  SERVERS,
  ({ name, need }) => need === "sql" ? "SQL servers" : name,
);

/** The version of each cluster. */
export function clusterVersions(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    GROUPS.flatMap(({ name, version }) => version === undefined ? [] : [[name, version]]),
  );
}

/** Variables by which tests use what they need, beside the prefixes of the groups. */
const VARIABLES: Readonly<Partial<Record<Need, readonly string[]>>> = {
  search: ["IRORI_TEST_${"],
  sql: ["TEST_TLS"],
  package: ["IRORI_TEST_TARBALL"],
};

/** The resources that the code of a test names. */
export function needsOf(code: string): ReadonlySet<Need> {
  const needs = (["search", "sql", "chromium", "package"] as const).filter((need) => {
    const own = GROUPS.filter((group) => group.need === need).map(({ prefix }) => prefix!);
    const names = [...own, ...VARIABLES[need] ?? []].map((name) => name.replace("${", "\\$\\{"));
    return new RegExp(`\\b(?:${names.join("|")})`).test(code);
  });
  return new Set(needs);
}

/**
 * Needs without those that are left out: tests that use one are skipped.
 *
 * @param leftOut with the reasons
 */
export function withoutNeeds<T extends { readonly needs: ReadonlySet<Need> }>(
  files: readonly T[],
  leftOut: ReadonlyMap<Need, string>,
): { readonly files: readonly T[]; readonly env: Readonly<Record<string, string>> } {
  return {
    files: files.map((file) => ({
      ...file,
      needs: new Set([...file.needs].filter((need) => !leftOut.has(need))),
    })),
    // The variables that tell these tests why.
    env: Object.fromEntries(
      SERVERS.filter(({ need }) => leftOut.has(need!))
        .map(({ need, prefix }) => [`${prefix}_MISSING`, leftOut.get(need!)!]),
    ),
  };
}
