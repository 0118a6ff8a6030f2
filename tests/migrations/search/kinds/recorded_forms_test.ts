import { assertEquals } from "@std/assert";
import { LiveComparison } from "../../../../src/migrations/search/compare/compare_live.ts";
import { pathOf } from "../../../../src/migrations/search/cluster/request.ts";
import {
  actionsOf,
  BESIDE_ACTIONS,
  POLICY_ACTIONS,
} from "../../../../src/migrations/search/kinds/policy_actions.ts";
import { type LiveResource, resourceOf } from "../../../../src/migrations/search/kinds/resource.ts";
import SCHEMA from "../../../../schemas/search.schema.json" with { type: "json" };
import { type Exchange, readRecording } from "../../../servers/recordings.ts";

/** How often each kind was read after a request that made it, in the recordings of both versions. */
const READ: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>> = {
  "opensearch-2.19.4-ism.txt": { "2.19.4": { policy: 2 } },
  "opensearch-ism-policies.txt": { "2.19.4": { policy: 5 }, "3.4.0": { policy: 4 } },
  "opensearch-snapshot-policies.txt": {
    "2.19.4": { "snapshot repository": 3, "snapshot policy": 7 },
    "3.4.0": { "snapshot repository": 3, "snapshot policy": 7 },
  },
  "opensearch-security-kinds.txt": {
    "2.19.4": { role: 5, "role mapping": 2, user: 4, "action group": 2, tenant: 1, policy: 1 },
    "3.4.0": { role: 5, "role mapping": 2, user: 4, "action group": 2, tenant: 1, policy: 1 },
  },
  "opensearch-kinds.txt": {
    "2.19.4": {
      component_template: 4,
      index_template: 2,
      pipeline: 2,
      "search pipeline": 3,
      script: 2,
    },
    "3.4.0": {
      component_template: 4,
      index_template: 2,
      pipeline: 2,
      "search pipeline": 1,
      script: 2,
    },
  },
};

/** Members that a version accepts and drops, so that a file with them differs for good. */
const DROPPED = ["2.19.4: snapshot policy patt: deletion.snapshot_pattern"];

for (const [name, versions] of Object.entries(READ)) {
  for (const [version, counts] of Object.entries(versions)) {
    Deno.test(`kinds + read what was sent as OpenSearch ${version} answers it: ${name}`, async () => {
      const found = await readBack(await readRecording(name, version));
      const unlike = found.flatMap(({ key, paths }) =>
        paths.map((path) => `${version}: ${key}: ${path}`)
      );
      assertEquals(unlike.filter((one) => !DROPPED.includes(one)), []);
      const read = Map.groupBy(found, ({ noun }) => noun);
      assertEquals(
        Object.fromEntries([...read].map(([noun, { length }]) => [noun, length])),
        counts,
      );
    });
  }
}

interface ReadBack {
  readonly noun: string;
  readonly key: string;
  readonly paths: readonly string[];
}

/** The differences between what a request made of a resource and what a GET answered later. */
async function readBack(exchanges: readonly Exchange[]): Promise<readonly ReadBack[]> {
  const cluster = { ask: () => Promise.reject(new Error("Such a kind needs no other request")) };
  const made = new Map<string, LiveResource>();
  const found: ReadBack[] = [];
  for (const { method, path, body = "", status, answer } of exchanges) {
    if (method === "HEAD" || status >= 300) continue;
    if (method !== "GET") {
      // Whatever else changes a resource, or all of them, makes it unknown.
      const changed = pathOf({ path });
      for (const [key, { path: one }] of made) {
        if (one.startsWith(changed) || changed.startsWith(`${one}/`)) made.delete(key);
      }
      const resource = resourceOf({ method, path, body });
      if (resource?.effect === "whole") made.set(resource.key, resource);
      continue;
    }
    const resource = [...made.values()].find((one) => one.path === pathOf({ path }));
    for (const live of resource?.read(JSON.parse(answer!)) ?? []) {
      const { differences } = await new LiveComparison(cluster, resource!)
        .with(resource!.wanted, live);
      const { kind: { noun }, key } = resource!;
      found.push({ noun, key, paths: differences.map(({ path }) => path) });
    }
  }
  return found;
}

Deno.test("POLICY_ACTIONS + has the actions that files may have, and no other", () => {
  const { custom: _, ...known } = SCHEMA.definitions["ism.action"].properties;
  assertEquals(Object.keys(known).sort(), [...POLICY_ACTIONS.keys(), ...BESIDE_ACTIONS].sort());
});

Deno.test("actionsOf + tells what becomes of the index", () => {
  const copy = { repository: "r", snapshot: "s" };
  const actions: readonly unknown[] = [
    { retry: { count: 3 }, timeout: "1h", force_merge: { max_num_segments: 1 } },
    { convert_index_to_remote: copy },
    { convert_index_to_remote: { ...copy, delete_original_index: true } },
    { read_only: {} },
    { rollover: {} },
    { delete: {} },
    { custom: { archive: {} } },
    { constructor: {} },
  ];
  assertEquals(actionsOf({ actions }).map(({ effect }) => effect), [
    ...["kept", "kept", "deleted later", "blocked", "replaced", "deleted", "unknown", "unknown"],
  ]);
  assertEquals(actionsOf({}), []);
});
