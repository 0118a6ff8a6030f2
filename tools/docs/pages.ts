/** Pages of the site that stand together. */
export interface Group {
  /** The side bar that lists these pages. */
  readonly part: "Guide" | "Migrations" | "Compare";
  /** The heading of these pages in the side bar: a task. */
  readonly title: string;
  /** Paths in the repository, in the order of the side bar. */
  readonly pages: readonly string[];
  /** The same pages; those of the section without a title stand before the others. */
  readonly sections: readonly { readonly title: string; readonly pages: readonly string[] }[];
}

/** Which page is where: by what its reader wants. The one list; pages that are written by the build come after it. */
export const GROUPS: readonly Group[] = [
  group("Guide", "Start", {
    "": [
      ...["create", "tutorial", "project-layout", "runtimes"],
      ...["docs/runtime-differences.md", "without-decorator-syntax"],
    ],
  }),
  group("Guide", "Build an API", {
    "": ["controllers", "binding", "validation", "responses", "errors"],
    "Structure": ["beans", "configuration", "middleware"],
    "More of requests and responses": [
      ...["paging", "caching", "conditional-requests", "versions", "files", "event-streams"],
      "websockets",
    ],
  }),
  group("Guide", "Describe and test it", { "": ["openapi", "client", "testing"] }),
  group("Guide", "Data", {
    "": [
      ...["database", "transactions", "orms", "types", "testing-database"],
      "search-queries",
    ],
  }),
  group("Guide", "Background work", {
    "": ["recurring-jobs", "background-jobs", "idempotency"],
  }),
  group("Guide", "Security", {
    "": [
      ...["security", "login", "authorization-by-tenant", "cors", "rate-limiting"],
    ],
  }),
  group("Guide", "Operate", {
    "": ["actuator", "metrics", "logging", "lifecycle", "performance"],
    "Deployment": ["deployment", "behind-a-proxy", "edge", "serverless", "ci"],
    "When something goes wrong": ["troubleshooting", "upgrading", "docs/moved.md"],
  }),
  group("Migrations", "Migrate databases", {
    "": ["migrations", "tutorial-migrations", "irori-migrate", "sql-migrations", "tenants"],
    "Checks and failures": ["sql-lint", "sql-schema", "backfills", "what-happens-when"],
    "From other tools": ["adopt", "from-other-runners", "d1"],
  }),
  group("Migrations", "Migrate clusters", {
    "": [
      ...["search-migrations", "live-reindex", "cluster-configuration", "policy-changes"],
      ...["template-changes", "fleets"],
    ],
  }),
  group("Compare", "Compare", {
    "": ["compare", "from-other-frameworks", "docs/benchmarks.md", "docs/tested.md"],
  }),
];

/**
 * Pages of the guide that are about features, or use them, by the names of these: without one of them such a page goes.
 * All others are about the core.
 */
export const PAGES_OF_FEATURES: Readonly<Record<string, readonly string[]>> = {
  actuator: ["actuator"],
  adopt: ["adopt"],
  "authorization-by-tenant": ["context", "security", "testing", "transactions"],
  backfills: ["backfills", "lint", "scheduling"],
  "background-jobs": ["actuator", "jobs", "testing"],
  caching: ["security"],
  client: ["client", "contract"],
  "cluster-configuration": ["drift", "lock_out", "pull"],
  "conditional-requests": ["conditional"],
  cors: ["browser", "security"],
  create: ["create"],
  d1: ["adopt", "programs"],
  database: ["transactions"],
  edge: ["build"],
  errors: ["contract"],
  "event-streams": ["testing"],
  files: ["files", "multipart"],
  "from-other-runners": ["adopt", "convert"],
  idempotency: ["idempotency", "transactions"],
  "irori-migrate": ["init"],
  "live-reindex": ["reindex"],
  logging: ["actuator", "logging"],
  login: ["passwords", "security"],
  metrics: ["actuator", "tracing"],
  middleware: ["context"],
  openapi: ["contract", "openapi"],
  orms: ["transactions"],
  paging: ["paging"],
  "policy-changes": ["policy_effects"],
  "project-layout": ["testing"],
  "recurring-jobs": ["scheduling", "testing"],
  "search-queries": ["actuator", "paging", "types"],
  security: ["context", "security", "testing"],
  serverless: ["vite"],
  "sql-lint": ["lint"],
  "sql-schema": ["actuator", "schema"],
  fleets: ["fleets"],
  "template-changes": ["template_changes"],
  tenants: ["tenants"],
  testing: ["contract", "passwords", "testing", "vite"],
  "testing-database": ["test_databases", "testing", "transactions"],
  transactions: ["transactions"],
  tutorial: [
    ...["actuator", "client", "contract", "create", "scheduling", "security", "testing"],
    "transactions",
  ],
  types: ["types"],
  websockets: ["security", "websocket"],
  "without-decorator-syntax": ["vite"],
};

function group(
  part: Group["part"],
  title: string,
  named: Readonly<Record<string, readonly string[]>>,
): Group {
  const path = (name: string) => name.endsWith(".md") ? name : `docs/guide/${name}.md`;
  const sections = Object.entries(named).map(([title, names]) => {
    return { title, pages: names.map(path) };
  });
  return { part, title, pages: sections.flatMap(({ pages }) => pages), sections };
}

/** Folders whose pages are all shown, by their names. */
export const FOLDERS: readonly { readonly title: string; readonly folder: string }[] = [
  { title: "Measurements", folder: "docs/proofs" },
  { title: "Decisions", folder: "docs/adr" },
];

/** Pages about the library as a whole. */
export const ABOUT: readonly string[] = [
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
