/** Pages of the site that stand together. */
export interface Group {
  /** Whose side bar has them. */
  readonly part: "Guide" | "Migrations";
  /** What is above them in the side bar. */
  readonly title: string;
  /** Paths in the repository, in the order of the side bar. */
  readonly pages: readonly string[];
}

/** Which page is where: by what its reader wants. The one list; pages that are written by the build come after it. */
export const GROUPS: readonly Group[] = [
  group("Guide", "Start", [
    "create",
    "controllers",
    "runtimes",
    "without-decorator-syntax",
    "application",
    "configuration",
    "editors",
    "watch-mode",
  ]),
  group("Guide", "Requests and responses", [
    ...["binding", "responses", "middleware", "uploads", "files", "event-streams", "websockets"],
    ...["paging", "conditional-requests", "versions", "request-context"],
  ]),
  group("Guide", "Dependency injection", ["beans"]),
  group("Guide", "Error handling", ["errors"]),
  group("Guide", "Security", ["security", "login"]),
  group("Guide", "Clients and contracts", ["openapi", "contract", "client"]),
  group("Guide", "Data", ["database", "transactions", "background-jobs", "idempotency"]),
  group("Guide", "Testing", ["testing", "testing-runners", "testing-database", "ci"]),
  group("Guide", "Deployment", [
    "lifecycle",
    "jobs",
    "recurring-jobs",
    "performance",
    "behind-a-proxy",
    "tls",
    "edge",
    "serverless",
  ]),
  group("Guide", "Operations", ["actuator", "metrics", "own-metrics", "logging", "tracing"]),
  group("Guide", "Migrating from other frameworks", [
    "from-nestjs",
    "from-spring-boot",
    "from-winter-boot",
  ]),
  group("Migrations", "All migrations", ["migrations", "types"]),
  group("Migrations", "Search clusters", ["search-migrations"]),
  group("Migrations", "SQL databases", [
    ...["sql-migrations", "sql-schema", "tenants", "sql-lint", "sql-lint-compared"],
  ]),
  group("Migrations", "Live reindex", ["live-reindex"]),
  group("Migrations", "Cluster configuration", [
    ...["cluster-configuration", "policy-changes", "lock-out"],
  ]),
  group("Migrations", "Migrating from other tools", [
    ...["adopt", "from-flyway", "from-dbmate", "from-prisma", "from-drizzle", "from-supabase"],
    ...["from-elasticsearch-evolution", "from-opensearch-operator"],
  ]),
  group("Migrations", "Operations", ["what-happens-when"]),
];

function group(part: Group["part"], title: string, names: readonly string[]): Group {
  return { part, title, pages: names.map((name) => `docs/guide/${name}.md`) };
}

/** Folders whose pages are all shown, by their names. */
export const FOLDERS: readonly { readonly title: string; readonly folder: string }[] = [
  { title: "Measurements", folder: "docs/proofs" },
  { title: "Decisions", folder: "docs/adr" },
];

/** Pages about the library as a whole. */
export const ABOUT: readonly string[] = [
  "docs/benchmarks.md",
  "docs/versioning.md",
  "SECURITY.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "AGENTS.md",
];

/** Pages and folders of pages whose blocks of code are run, or looked at. */
export const WITH_CODE: readonly string[] = [
  "README.md",
  "AGENTS.md",
  "docs/index.md",
  "docs/guide",
];

/** `docs/guide/errors.md` → `guide/errors.md`: where a page of the repository is on the site. */
export function sitePath(path: string): string {
  return path.replace(/^docs\//, "")
    .replace(/\/README\.md$/, "/index.md")
    .replace(/^[A-Z]+\.md$/, (name) => name.toLowerCase());
}

/** The first page. */
export const HOME = "docs/index.md";
