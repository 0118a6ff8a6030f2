import { walk } from "@std/fs/walk";
import { fromFileUrl, relative, toFileUrl } from "@std/path";
import { Graph } from "./_graph.ts";
import { type Need, needsOf } from "./_groups.ts";
import { isOnlyInAll } from "./_only_in_all.ts";

/** Parts that the workflow runs in jobs of their own. */
export const PARTS = ["web", "migrations", "runtimes"] as const;
export type TestPart = typeof PARTS[number];

/** A file of tests. */
export interface TestFile {
  /** From the root, such as `tests/web/body_test.ts`. */
  readonly path: string;
  /** What the variables stand for that a module of tests reads which it reaches. */
  readonly needs: ReadonlySet<Need>;
  readonly part: TestPart;
  /** Files of this repository that it imports, and those that these import. */
  readonly reached: readonly string[];
}

/**
 * Files that run first, the slowest at the top, so that no core waits for one of them at the end. `deno task test:report`
 * prints the present order.
 */
export const SLOW_FIRST: readonly string[] = [
  "tests/features/reindex/ways_test.ts",
  "tests/features/schema/schema_test.ts",
  "tests/migrations/search/contract_test.ts",
  "tests/migrations/sql/locks_test.ts",
  "tests/runtimes/web_test.ts",
  "tests/runtimes/shutdown_test.ts",
  "tests/features/reindex/reindex_command_test.ts",
  "tests/features/schema/schema_servers_test.ts",
  "tests/migrations/search/journal_test.ts",
  "tests/features/pull/pull_property_test.ts",
  "tests/examples/starters_test.ts",
  "tests/examples/services_test.ts",
  "tests/migrations/sql/journal_test.ts",
  "tests/features/reindex/reindex_test.ts",
  "tests/runtimes/command_line_test.ts",
  "tests/migrations/sql/using_test.ts",
  "tests/migrations/secrets_test.ts",
  "tests/migrations/sql/kill_test.ts",
  "tests/runtimes/telemetry_test.ts",
  "tests/migrations/search/fault_table_test.ts",
  "tests/runtimes/create_parts_test.ts",
  "tests/runtimes/create_test.ts",
  "tests/features/create/parts_test.ts",
  "tests/runtimes/tutorial_test.ts",
  "tests/docs/tutorial_migrations_test.ts",
  "tests/docs/fragments_test.ts",
  "tests/runtimes/databases_test.ts",
  "tests/runtimes/uploads_test.ts",
  "tests/features/sigv4/amazon_test.ts",
  "tests/tools/mutate_test.ts",
];

const ROOT = fromFileUrl(new URL("..", import.meta.url));

/**
 * Finds the test files below some paths, slow ones first.
 *
 * @param isSample whether files that belong to `deno task test:all` stay out
 */
export async function testFiles(
  paths: readonly string[],
  isSample: boolean,
): Promise<readonly TestFile[]> {
  const found: string[] = [];
  for (const path of paths) {
    if ((await Deno.stat(path)).isFile) found.push(relative(ROOT, await Deno.realPath(path)));
    else {
      for await (const entry of walk(path, { includeDirs: false })) {
        const isTest = entry.isFile && /_test\.ts$/.test(entry.path);
        if (!isTest || entry.path.includes("node_modules")) continue;
        found.push(relative(ROOT, await Deno.realPath(entry.path)));
      }
    }
  }
  const files = found.filter((path) => !(isSample && isOnlyInAll(path)));
  const graph = await graphOf(files);
  const texts = new Map<string, Promise<string>>();
  const readText = (path: string) => {
    if (!texts.has(path)) texts.set(path, Deno.readTextFile(path));
    return texts.get(path)!;
  };
  const described = await Promise.all(
    files.sort().map(async (path): Promise<TestFile> => {
      const reached = [...graph.reachedBy(path)];
      const modules = reached.filter((one) => /^(?:tests|examples)\//.test(one));
      const code = (await Promise.all(modules.map(readText))).join("\n");
      const needs = needsOf(code);
      return { path, needs, part: partOf(path, needs, reached), reached };
    }),
  );
  const place = ({ path }: TestFile) => {
    const index = SLOW_FIRST.indexOf(path);
    return index < 0 ? SLOW_FIRST.length : index;
  };
  return described.sort((one, other) => place(one) - place(other));
}

function partOf(path: string, needs: ReadonlySet<Need>, reached: readonly string[]): TestPart {
  if (needs.has("search")) return "migrations"; // Only one part starts these clusters.
  if (needs.has("package")) return "runtimes";
  const isMigrations = needs.has("sql") || path.startsWith("tests/migrations/") ||
    reached.some((one) => one.startsWith("src/migrations/"));
  return isMigrations ? "migrations" : "web";
}

/** Deals files out to shards, slow ones evenly. @param shard such as `2/3` */
export function shardOf<T>(files: readonly T[], shard: string): readonly T[] {
  const [index, count] = shard.split("/").map(Number);
  if (!index || !count || index > count) throw new Error(`Expected a shard such as 2/3: ${shard}`);
  return files.filter((_, position) => position % count === index - 1);
}

/** One call of `deno info` for all files. */
export async function graphOf(files: readonly string[]): Promise<Graph> {
  const entry = await Deno.makeTempFile({ prefix: "irori-files-", suffix: ".ts" });
  try {
    await Deno.writeTextFile(
      entry,
      files.map((path) => `import ${JSON.stringify(toFileUrl(ROOT + path).href)};\n`).join(""),
    );
    return await Graph.of([entry]);
  } finally {
    await Deno.remove(entry);
  }
}
