import type { Tally } from "./_tally.ts";

/** A whole run of the tests. */
export interface TestedRun {
  /** Such as `2026-11-25`. */
  readonly date: string;
  /** Tests by server and runtime, and `all`. */
  readonly tallies: Readonly<Record<string, Tally>>;
  readonly failed: number;
  /** Versions by the same names. */
  readonly versions: Readonly<Record<string, string>>;
}

const HEAD = `# What is tested

\`deno task test:all\` runs each night and for each release, on real servers and on every runtime. It
fails if fewer tests than before name a server or a runtime. Tests that need a cluster in a rare
state use a stand-in, which other tests compare with real clusters.
`;

const LIMITS: Readonly<Record<string, string>> = {
  "Elasticsearch 8": "the server without its modules",
  "Elasticsearch 9": "the server without its modules",
  MariaDB: "for MySQL, too, which is not tested itself",
  PostgreSQL: "other versions from 12 on are expected to work",
  PGlite: "PostgreSQL in WebAssembly",
  PgBouncer: "in front of PostgreSQL, transaction pooling",
  SQLite: "of Deno; Node and Bun have their own",
  workerd: "the server of Cloudflare Workers",
  Miniflare: "the local form of Cloudflare Workers",
};

/** The page that says what is tested against what. */
export function testedPage({ date, tallies, failed, versions }: TestedRun): string {
  const { all = { ran: 0, skipped: 0 }, ...groups } = tallies;
  const rows = Object.entries(groups).map(([name, { ran, skipped }]) =>
    `| ${name} | ${versions[name] ?? "unknown"} | ${ran}${
      skipped > 0 ? `, ${skipped} skipped` : ""
    } | ${LIMITS[name] ?? ""} |`
  );
  return `${HEAD}
The run of ${date}: ${all.ran} tests ran, ${failed} failed, ${all.skipped} skipped. Written from its
report by \`deno task test:tested\`.

| server or runtime | version | tests that name it | remark |
| --- | --- | --- | --- |
${rows.join("\n")}

The other tests need neither a server nor another runtime, and run on Deno. What of each kind of file is tested on which cluster: [tested versions](guide/search-migrations.md#tested-versions). What is expected to work without a test, and how long a version is supported: [versioning](versioning.md).
`;
}
