import { assertEquals, assertExists, assertInstanceOf } from "@std/assert";
import { MigrationFailedError } from "../../../src/migrations/runner/mod.ts";
import { ask, clusterTest, PLAIN, type RealCluster } from "../../servers/real.ts";
import { apply, connectionTo } from "../../migrations/search/runner.ts";
import { reindexing } from "./support.ts";

/** An index that cannot be copied as it is; `orders` stands for its name. */
interface Refusal {
  readonly name: string;
  readonly make: readonly (readonly [method: string, path: string, body?: unknown])[];
  readonly writePauseMs?: "none";
  /** The requests that the message describes in words. */
  readonly advice?: Refusal["make"];
}

const typed = (type: string) => ({ mappings: { properties: { a: { type } } } });
const PLAIN_INDEX = ["PUT", "/orders", typed("keyword")] as const;
const blocked = (block: string): Refusal => ({
  name: `the block '${block}'`,
  make: [PLAIN_INDEX, ["PUT", "/orders/_settings", { [`index.blocks.${block}`]: true }]],
});

const REFUSALS: readonly Refusal[] = [
  { name: "a closed index", make: [PLAIN_INDEX, ["POST", "/orders/_close"]] },
  ...["read_only", "read_only_allow_delete", "read"].map(blocked),
  { name: "a pause that is not allowed", make: [PLAIN_INDEX], writePauseMs: "none" },
  {
    name: "an alias of another index",
    make: [["PUT", "/orders-old", { ...typed("keyword"), aliases: { orders: {} } }]],
    advice: [
      ["PUT", "/orders-old/_block/write"],
      ["PUT", "/orders-old/_clone/orders-00000000-1", { settings: { "index.blocks.write": null } }],
      ["POST", "/_aliases", {
        actions: [
          { remove: { index: "orders-old", alias: "orders" } },
          { add: { index: "orders-00000000-1", alias: "orders" } },
        ],
      }],
    ],
  },
];

async function follow(
  cluster: RealCluster,
  { make, advice, writePauseMs }: Refusal,
): Promise<void> {
  const name = `ra${crypto.randomUUID().slice(0, 8)}`;
  const own = (text: string) => text.replaceAll("orders", name);
  const send = async (method: string, path: string, body?: unknown) => {
    const sent = body && JSON.parse(own(JSON.stringify(body)));
    const { status, json } = await ask(cluster, method, own(path), sent);
    assertEquals(status, 200, `${method} ${path}: ${JSON.stringify(json)}`);
  };
  const connection = reindexing(
    { ...connectionTo(cluster.url), name, timeoutMs: 30_000 },
    { writePauseMs: writePauseMs ?? 30_000, oldIndices: "delete" },
  );
  const migrate = () => apply(connection, { [`${name}.json`]: JSON.stringify(typed("long")) });
  try {
    for (const [method, path, body] of make) await send(method, path, body);
    const { error } = await migrate();
    assertInstanceOf(error, MigrationFailedError);
    const found = /'([A-Z]+) (\/\S+)'(?:, '(\{.*\})')?/.exec(error.message);
    if (!advice) assertExists(found, error.message);
    const [, method = "", path = "", body] = found ?? [];
    const named: Refusal["make"] = [[method, path, body && JSON.parse(body)]];
    for (const [method, path, body] of advice ?? named) await send(method, path, body);
    assertEquals((await migrate()).error, undefined);
    const { json } = await ask(cluster, "GET", `/${name}/_mapping`);
    assertEquals(/"a":\{"type":"long"\}/.test(JSON.stringify(json)), true);
  } finally {
    const { json } = await ask(cluster, "GET", `/${name}*/_alias?expand_wildcards=all`);
    for (const index of Object.keys(json as object)) await ask(cluster, "DELETE", `/${index}`);
  }
}

for (const refusal of REFUSALS) {
  clusterTest(
    PLAIN,
    `the advice for an index that cannot be copied leads to its copy: ${refusal.name}`,
    (cluster) => follow(cluster, refusal),
  );
}
