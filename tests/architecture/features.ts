/**
 * The features: each is a folder of `src/features` that can be deleted, with those that use it. A feature imports the
 * core, and of the others only those that it uses. The core imports none.
 */
export const FEATURES: Readonly<Record<string, Feature>> = {
  context: { half: "web", uses: [] },
  security: { half: "web", uses: ["context"] },
  passwords: { half: "web", uses: [] },
  actuator: { half: "web", uses: [] },
  logging: { half: "web", uses: [] },
  tracing: { half: "web", uses: [] },
  client: { half: "web", uses: [] },
  openapi: { half: "web", uses: [] },
  contract: { half: "web", uses: ["client", "openapi"] },
  multipart: { half: "web", uses: [] },
  paging: { half: "web", uses: [] },
  websocket: { half: "web", uses: [] },
  browser: { half: "web", uses: [] },
  conditional: { half: "web", uses: [] },
  files: { half: "web", uses: ["conditional"] },
  transactions: { half: "web", uses: [] },
  scheduling: { half: "web", uses: ["actuator", "transactions"] },
  idempotency: { half: "web", uses: ["transactions"] },
  jobs: { half: "web", uses: ["actuator", "transactions"] },
  verify: { half: "web", uses: ["contract", "openapi"] },
  testing: { half: "web", uses: ["openapi", "security"] },
  vite: { half: "web", uses: [] },
  build: { half: "web", uses: ["vite"] },
  create: { half: "web", uses: [] },
  formats: { half: "migrations", uses: [] },
  lint: { half: "migrations", uses: [] },
  rebuilds: { half: "migrations", uses: [] },
  wrangler: { half: "migrations", uses: [] },
  parts: { half: "migrations", uses: [] },
  live_indices: { half: "migrations", uses: [] },
  reindex: { half: "migrations", uses: ["live_indices", "parts"] },
  policy_effects: { half: "migrations", uses: [] },
  policy_attach: { half: "migrations", uses: ["policy_effects"] },
  template_changes: { half: "migrations", uses: ["live_indices"] },
  lock_out: { half: "migrations", uses: [] },
  file_schemas: { half: "migrations", uses: [] },
  sigv4: { half: "migrations", uses: [] },
  tenants: { half: "migrations", uses: ["parts"] },
  fleets: { half: "migrations", uses: ["parts"] },
  schema: { half: "migrations", uses: ["tenants"] },
  pull: { half: "migrations", uses: [] },
  unmanaged: { half: "migrations", uses: ["pull"] },
  drift: { half: "migrations", uses: ["schema", "unmanaged"] },
  convert: { half: "migrations", uses: ["pull"] },
  adopt: { half: "migrations", uses: ["wrangler"] },
  types: { half: "migrations", uses: ["schema", "tenants"] },
  test_databases: { half: "migrations", uses: [] },
  monitoring: { half: "migrations", uses: ["schema", "tenants"] },
  backfills: { half: "migrations", uses: ["monitoring"] },
  programs: { half: "migrations", uses: ["adopt"] },
  init: { half: "migrations", uses: ["adopt"] },
};

/** One of them. */
interface Feature {
  readonly half: "web" | "migrations";
  /** The features that it imports, or that are imported in what it writes. */
  readonly uses: readonly string[];
}
