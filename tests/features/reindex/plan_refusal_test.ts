import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ask, clusterTest, PLAIN } from "../../servers/real.ts";
import { apply, connectionTo, planned } from "../../migrations/search/runner.ts";
import { reindexing } from "./support.ts";

const typed = (type: string, more = {}) => ({ mappings: { properties: { a: { type } } }, ...more });

/** An index `orders` with a keyword, and the plan and the run of files that change it. */
interface Case {
  readonly name: string;
  /** Members of the live index that the file does not name. */
  readonly live?: Readonly<Record<string, unknown>>;
  /** The files before that of the index, by their paths. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly pipeline?: string;
  readonly severity?: "error" | "warning";
  /** Why the index file is refused. */
  readonly reason?: RegExp;
}

const READ_ONLY = { settings: { "index.blocks.read_only": true } };
const LIFT = { method: "PUT", path: "/orders/_settings", body: { "index.blocks.read_only": null } };
const FITTING = { processors: [{ set: { field: "a", value: 1 } }] };

const CASES: readonly Case[] = [
  { name: "a fitting change" },
  {
    name: "a pipeline that no file makes",
    pipeline: "orders-none",
    severity: "error",
    reason: /names the pipeline '\S+-none', which does not exist/,
  },
  {
    name: "a pipeline that an earlier file makes",
    before: { "1/orders-fit-pipeline.json": FITTING },
    pipeline: "orders-fit",
  },
  {
    name: "a block",
    live: READ_ONLY,
    severity: "error",
    reason: /has the block 'read_only'/,
  },
  {
    name: "a block, after a template and another index",
    live: READ_ONLY,
    before: {
      "1/orders-template.json": { index_patterns: ["orders-none*"], priority: 900 },
      "2/orders-other.json": typed("keyword"),
    },
    severity: "error",
    reason: /has the block 'read_only'/,
  },
  {
    name: "a block that an earlier request lifts",
    live: READ_ONLY,
    before: { "1/lift.json": LIFT },
    severity: "warning",
  },
];

for (const { name, live = {}, before = {}, pipeline, severity, reason } of CASES) {
  clusterTest(PLAIN, `plan finds whether a run refuses an index: ${name}`, async (cluster) => {
    const own = `pr${crypto.randomUUID().slice(0, 8)}`;
    const named = (text: string) => text.replaceAll("orders", own);
    const send = (method: string, path: string, body?: unknown) =>
      ask(cluster, method, named(path), body && JSON.parse(named(JSON.stringify(body))));
    const connection = reindexing(
      { ...connectionTo(cluster.url), name: own, timeoutMs: 30_000 },
      {
        writePauseMs: 30_000,
        oldIndices: "delete",
        ...(pipeline && { pipeline: named(pipeline) }),
      },
    );
    const files = { ...before, "9/orders.json": typed("integer") };
    const tree = Object.fromEntries(
      Object.entries(files).map(([path, body]) => [named(path), named(JSON.stringify(body))]),
    );
    try {
      await send("PUT", "/orders", typed("keyword"));
      await send("POST", "/orders/_doc?refresh=true", { a: "1" });
      await send("PUT", "/orders/_settings", live.settings ?? {});
      const { steps } = await planned(connection, tree);
      const { note, findings = [] } = steps.at(-1)!;
      const { error } = await apply(connection, tree);
      assertEquals(findings.map((one) => one.severity), severity ? [severity] : []);
      assertEquals(findings.map(({ path }) => path), severity ? [named("9/orders.json")] : []);
      if (severity === undefined) assertMatch(note!, /will be copied into/);
      if (reason === undefined) return assertEquals(error, undefined);
      assertMatch(error!.message, reason);
      assertStringIncludes(error!.message, findings[0]!.message.replace("Will be refused: ", ""));
    } finally {
      await send("PUT", "/orders/_settings", { "index.blocks.read_only": null });
      const { json } = await send("GET", "/orders*/_alias");
      for (const index of Object.keys(json as object)) await send("DELETE", `/${index}`);
      await send("DELETE", "/_ingest/pipeline/orders-fit");
      await send("DELETE", "/_index_template/orders");
    }
  });
}
