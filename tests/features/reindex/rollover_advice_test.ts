import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ask, clusterTest, PLAIN, type RealCluster } from "../../servers/real.ts";
import { apply, connectionTo, planned } from "../../migrations/search/runner.ts";
import { reindexing } from "./support.ts";

/** Indices of a series, by the end of their names; `orders` stands for the name of the test. */
interface Series {
  readonly name: string;
  /** The body by which another client makes the index; absent where the runner makes it from the file. */
  readonly aliases?: Readonly<Record<string, unknown>>;
  readonly file: string;
  /** The alias that has to have a new index. */
  readonly alias: string;
  /** The request that rolled the alias over before the file was changed. */
  readonly rolled?: string;
}

const WRITES = { is_write_index: true };

const SERIES: readonly Series[] = [
  { name: "the first index, which the runner made", file: "orders-000001", alias: "orders" },
  {
    name: "the first index, which another client made",
    aliases: { orders: {} },
    file: "orders-000001",
    alias: "orders",
  },
  {
    name: "an index whose write alias has a name of its own",
    aliases: { "orders-write": WRITES },
    file: "orders-000001",
    alias: "orders-write",
  },
  {
    name: "an alias for reading beside one for writing",
    aliases: { orders: {}, "orders-write": WRITES },
    file: "orders",
    alias: "orders-write",
  },
  { name: "the alias itself", aliases: { orders: WRITES }, file: "orders", alias: "orders" },
  {
    name: "an old index that is named otherwise than its alias",
    file: "orders-app-000001",
    alias: "orders",
    rolled: "/orders/_rollover",
  },
  {
    name: "an old index whose name is not that of a series",
    file: "orders-app",
    alias: "orders",
    rolled: "/orders/_rollover",
  },
  {
    name: "an old index that lost its alias",
    aliases: { "orders-write": {} },
    file: "orders-000001",
    alias: "orders-write",
    rolled: "/orders-write/_rollover",
  },
  {
    name: "the newest index, whose name is not that of a series",
    aliases: { "orders-write": WRITES },
    file: "orders-app-7",
    alias: "orders-write",
    rolled: "/orders-write/_rollover/orders-app-7",
  },
];

const typed = (type: string) => ({ mappings: { properties: { a: { type } } } });

async function follow(
  cluster: RealCluster,
  { aliases, file, alias, rolled }: Series,
): Promise<void> {
  const name = `ro${crypto.randomUUID().slice(0, 8)}`;
  const own = (text: string) => text.replaceAll("orders", name);
  const send = (method: string, path: string, body?: unknown) =>
    ask(cluster, method, own(path), body && JSON.parse(own(JSON.stringify(body))));
  const connection = reindexing(
    { ...connectionTo(cluster.url), name, timeoutMs: 30_000 },
    { writePauseMs: 30_000, oldIndices: "keep" },
  );
  const tree = (type: string) => {
    const content = { ...typed(type), ...(!aliases && { aliases: { [alias]: WRITES } }) };
    return { [own(`${file}.json`)]: own(JSON.stringify(content)) };
  };
  try {
    const template = { index_patterns: ["orders-*"], priority: 900, template: typed("long") };
    await send("PUT", "/_index_template/orders", template);
    if (aliases) await send("PUT", "/orders-000001", { ...typed("keyword"), aliases });
    else assertEquals((await apply(connection, tree("keyword"))).error, undefined);
    if (rolled) await send("POST", rolled);
    const before = await send("GET", "/orders*");
    const { steps: [step] } = await planned(connection, tree("ip"));
    const { error } = await apply(connection, tree("ip"));
    const [, refused] = /^Will be refused: (.+)$/.exec(String(step?.findings?.[0]?.message)) ?? [];
    assertStringIncludes(String(error?.message), String(refused));
    assertEquals(await send("GET", "/orders*"), before);
    const [, path, advised] =
      /file for 'POST (\S+)': 'new (\S+) --rollover -m search'/.exec(String(error?.message)) ?? [];
    assertEquals([path, advised], [own(`/${alias}/_rollover`), own(alias)]);
    const rollover = JSON.stringify({ method: "POST", path, body: {} });
    assertEquals((await apply(connection, { "1.json": rollover })).error, undefined);
    const { json } = await send("GET", `/${alias}/_alias/${alias}`);
    const behind = Object.entries(json as Record<string, { aliases: Record<string, unknown> }>)
      .filter(([, { aliases }]) =>
        JSON.stringify(aliases[own(alias)]) !== '{"is_write_index":false}'
      );
    const [newest = ""] = behind.map(([index]) => index);
    assertEquals(behind.length, 1);
    assertMatch(newest, /-00000[238]$/);
    const mapping = await send("GET", `/${newest}/_mapping`);
    assertMatch(JSON.stringify(mapping.json), /"a":\{"type":"long"\}/);
  } finally {
    await send("DELETE", "/_index_template/orders");
    const { json } = await send("GET", "/orders*/_alias");
    for (const index of Object.keys(json as object)) await send("DELETE", `/${index}`);
  }
}

for (const series of SERIES) {
  clusterTest(
    PLAIN,
    `the advice for a series of indices leads to a new index: ${series.name}`,
    (cluster) => follow(cluster, series),
  );
}
