/** Tests that `deno task test` leaves to `deno task test:all`. */
export interface OnlyInAll {
  readonly file: string;
  /** Titles; every test of the file where it is absent. */
  readonly titles?: RegExp;
  /** A similar test that stays in `deno task test`, or why none has to. */
  readonly stays: string;
}

/**
 * The one list of what belongs to `deno task test:all` alone, apart from numbers of repetitions (`tests/long/mod.ts`) and
 * old clusters (`tests/servers/real.ts`). An entry that matches no test fails `deno task test:all`.
 */
export const ONLY_IN_ALL: readonly OnlyInAll[] = [
  {
    file: "tests/runtimes/release_test.ts",
    stays:
      "the packages are installed from their tarballs, and readme_test follows the commands of a checkout",
  },
  {
    file: "tests/features/jobs/command_test.ts",
    titles: /^new jobs-schema \+ (?:is applied|writes what has changed)/,
    stays: "tests/features/jobs applies the schema, and 'jobs' lists what is in it",
  },
  {
    file: "tests/runtimes/jobs_test.ts",
    titles: /\bNode 24\b/,
    stays: "the same on Node 22, Bun and Deno",
  },
  {
    file: "tests/runtimes/output_test.ts",
    titles: /on Node 22 \+/,
    stays: "the same on Node 24, Bun and Deno",
  },
  {
    file: "tests/docs/tutorial_migrations_test.ts",
    titles: /is followed on (?:Deno|Bun)/,
    stays: "the same on Node",
  },
  { file: "tests/docs/site_test.ts", stays: "links, blocks and pages are tested without a site" },
  {
    file: "tests/features/openapi/schemathesis_test.ts",
    stays: "verify() sends generated requests",
  },
  { file: "tests/examples/moved_test.ts", stays: "the README of the moved example is followed" },
  { file: "tests/runtimes/bundles_test.ts", stays: "decorate() on Node without a loader" },
  { file: "tests/runtimes/vitest_test.ts", stays: "the other test runners, installed together" },
  { file: "tests/tools/spell_check_test.ts", stays: "the spelling is checked" },
  { file: "tests/tools/sbom_test.ts", titles: /^sbomOf \+/, stays: "the rules of the SBOM" },
  {
    file: "tests/tools/mutate_test.ts",
    titles: /^mutants of the examples \+/,
    stays: "the tests of how mutants are made",
  },
  {
    file: "tests/features/scheduling/rounds_test.ts",
    titles: /MariaDB/,
    stays: "the rounds on PostgreSQL",
  },
  ...["jobs", "transactions"].map((name) => ({
    file: `tests/features/${name}/orms_test.ts`,
    titles: /Prisma/,
    stays: "Kysely and Drizzle",
  })),
  {
    file: "tests/features/reindex/ways_test.ts",
    titles: /\(OpenSearch 3, plain\)/,
    stays: "the same with TLS and basic authentication",
  },
  {
    file: "tests/features/types/documents/cluster_test.ts",
    titles: /\(Elasticsearch 9\)/,
    stays: "the same on OpenSearch",
  },
  {
    file: "tests/docs/deployment_test.ts",
    titles: /resources of Kubernetes are valid/,
    stays: "its YAML is parsed, and the commands exist",
  },
  {
    file: "tests/runtimes/create_test.ts",
    titles: /: (?:Node 24|Bun|Deno)$|takes the library from JSR$|hadolint/,
    stays: "a project on Node 22, and the rules of all projects",
  },
  {
    file: "tests/runtimes/create_parts_test.ts",
    stays: "tests/features/create/parts_test.ts takes the library from the sources, on Deno",
  },
  {
    file: "tests/features/create/parts_test.ts",
    titles: /passes its tests: (?!postgres-openapi-security-logging-jobs$)/,
    stays: "a project on PostgreSQL with all parts",
  },
  {
    file: "tests/runtimes/tutorial_test.ts",
    titles: /: (?:Node 22|Deno)$/,
    stays: "the same on Bun; create_test.ts has a project on Node 22",
  },
  {
    file: "tests/runtimes/serverless_test.ts",
    titles: /^Next\.js \+/,
    stays: "the same functions on AWS Lambda and Vercel",
  },
  {
    file: "tests/runtimes/meta_frameworks_test.ts",
    stays: "app.fetch in another Hono app, and the plugin for bundlers",
  },
  {
    file: "tests/runtimes/executables_test.ts",
    stays:
      "web_test.ts compiles an application, command_line_test.ts the command line, both by Bun",
  },
  {
    file: "tests/runtimes/compilers_test.ts",
    titles: /names in decorators work with Rollup$/,
    stays: "the refusal of names that Rollup has removed",
  },
  ...[
    "adapters",
    "asked",
    "client",
    "command_line",
    "databases",
    "files",
    "jwks",
    "lane",
    "middleware",
    "migration_spans",
    "settings",
    "shutdown",
    "signed_requests",
    "sockets",
    "telemetry",
    "uploads",
    "ways",
  ].map((name) => ({
    file: `tests/runtimes/${name}_test.ts`,
    titles: /\bNode 24\b/,
    stays: "the same on Node 22; other files run on Node 24, too",
  })),
  {
    file: "tests/runtimes/settings_test.ts",
    titles: /on (?:Bun|Deno): hono$/,
    stays: "the same on Node 22, and all other settings on each runtime",
  },
  {
    file: "tests/runtimes/attacks_test.ts",
    titles: /^Node 24 \+ .*: (?!plain$)/,
    stays: "the same on Node 22",
  },
  {
    file: "tests/runtimes/test_runners_test.ts",
    titles: /: node --test, Node 24$/,
    stays: "the same on Node 22",
  },
  {
    file: "tests/examples/tracks_test.ts",
    stays:
      "its tests on Deno, the README of examples/orders on Node 22; `deno task ok` checks types",
  },
  {
    file: "tests/examples/realworld_test.ts",
    titles: / and PostgreSQL$|compiles with what its package\.json names$/,
    stays: "the specification on Deno, and the README of orders; `deno task ok` checks its types",
  },
  {
    file: "tests/examples/services_test.ts",
    titles: /^examples\/(?:tenants|search_service|edge_d1) /,
    stays:
      "examples/orders, the tests of tenants on Deno, and the same by the guides on search and on edge",
  },
  {
    file: "tests/examples/starters_test.ts",
    titles: /^examples\/kubernetes/,
    stays: "its files are checked where examples are",
  },
  {
    file: "tests/examples/starters_test.ts",
    titles: /^examples\/users_node/,
    stays: "a project of create-irori on Node 22, and the types of the example",
  },
  {
    file: "tests/runtimes/edge_graph_test.ts",
    titles: /is within the bound of its size/,
    stays: "what an edge bundle contains is checked file by file",
  },
  {
    file: "tests/runtimes/edge_guide_test.ts",
    titles: /what is scanned is written/,
    stays: "the README of examples/users_edge, which scans the same way",
  },
  {
    file: "tests/runtimes/web_test.ts",
    titles: /^(?:Node 22 \+ tsx|Node 24 \+ esbuild|Bun \+ bun build|Miniflare \+ without flags)$/,
    stays: "tsc on both, esbuild on Node 22, tsx on Node 24, --compile; workerd without flags",
  },
  {
    file: "tests/migrations/secrets_test.ts",
    titles: /^PGlite: no value of a secret/,
    stays: "the same on PostgreSQL and MariaDB",
  },
  {
    file: "tests/features/schema/schema_test.ts",
    titles: /^PGlite: the schema is written/,
    stays: "the same on PostgreSQL, and `schema --check` by PGlite",
  },
  {
    file: "tests/features/adopt/d1_test.ts",
    titles: /^D1 of (?:wrangler, with|Drizzle) /,
    stays: "the same of wrangler, with two files",
  },
  {
    file: "tests/migrations/sql/d1/rules_test.ts",
    titles: /Miniflare/,
    stays: "the same files by the local file and by the double",
  },
  {
    file: "tests/migrations/sql/d1/lost_rows_test.ts",
    titles: /Miniflare/,
    stays: "the same by the double, which is held against Miniflare",
  },
  {
    file: "tests/features/adopt/adopt_drizzle_test.ts",
    titles: /on (?:PostgreSQL|MariaDB) (?:adopts 1\.0\.0|builds a new database)/,
    stays: "the same on one other database each; 0.45.4 is adopted on all three",
  },
  {
    file: "tests/features/adopt/drizzle_at_once_test.ts",
    titles: /on (?:MariaDB|SQLite) by/,
    stays: "the same on PostgreSQL",
  },
  {
    file: "tests/features/reindex/reindex_command_test.ts",
    titles: /tells of a copy whose run was killed/,
    stays: "reindex_test.ts kills runs, resume_test.ts abandons them",
  },
  {
    file: "tests/runtimes/command_line_test.ts",
    titles: /^irori \+ the sources on Deno/,
    stays: "tests/e2e runs the sources on Deno, for clusters and for databases",
  },
  {
    file: "tests/runtimes/verify_test.ts",
    stays: "verify() is tested on Deno",
  },
  {
    file: "tests/runtimes/connections_test.ts",
    titles: /Bun\.SQL/,
    stays: "postgres.js and libSQL pass the contract of their dialects on Deno",
  },
  ...["using", "journal"].map((name) => ({
    file: `tests/migrations/sql/${name}_test.ts`,
    titles: /PostgreSQL by Neon's driver/,
    stays: "a pool of pg, which has the same adapter",
  })),
  {
    file: "tests/migrations/sql/using_left_test.ts",
    titles: /PGlite/,
    stays: "PGlite passes the contract of the dialects",
  },
  {
    file: "tests/features/schema/schema_servers_test.ts",
    titles: /^PGlite:/,
    stays: "the same on PostgreSQL",
  },
  {
    file: "tests/features/types/rows/row_types_test.ts",
    titles: /^types \+ PGlite/,
    stays: "the same on PostgreSQL, MariaDB and SQLite",
  },
  {
    file: "tests/features/types/types_command_test.ts",
    titles: /: PGlite gives the rows/,
    stays: "the mapping of the same page, and the types of values on PostgreSQL",
  },
  {
    file: "tests/features/pull/pull_property_test.ts",
    stays: "the command line pulls a cluster, and applies what it has pulled",
  },
  {
    file: "tests/features/file_schemas/mistakes_test.ts",
    titles: /^a cluster refuses what counts as a mistake/,
    stays: "the mistakes are named, and what pull writes has none",
  },
  ...[
    "container/types",
    "features/security/types",
    "features/transactions/types",
    "together/decorate_types",
    "types/returns",
    "types/web",
  ].map((name) => ({
    file: `tests/${name}_test.ts`,
    titles: / \+ (?:compiles? |refuse )/,
    stays: "the same command checks the types of all files, these among them",
  })),
  { file: "tests/runtimes/editors_test.ts", stays: "the schemas by another validator" },
  {
    file: "tests/tools/schemas_test.ts",
    titles: /^deno task schemas \+/,
    stays: "the folder has a schema for each kind of file",
  },
  {
    file: "tests/features/actuator/prometheus_test.ts",
    titles: /Python's client library/,
    stays: "the text is compared with the format's rules",
  },
];

/** Whether a test belongs to `deno task test:all` alone. @param title without it, whether all tests of the file do */
export function isOnlyInAll(path: string, title?: string): boolean {
  return ONLY_IN_ALL.some(({ file, titles }) =>
    file === path && (titles === undefined || (title !== undefined && titles.test(title)))
  );
}

/** Entries that no test of a whole run matches. @param tests with the paths of their files */
export function withoutTests(
  tests: readonly { readonly path: string; readonly title: string }[],
): readonly OnlyInAll[] {
  return ONLY_IN_ALL.filter(({ file, titles }) =>
    !tests.some(({ path, title }) => path === file && (titles?.test(title) ?? true))
  );
}
