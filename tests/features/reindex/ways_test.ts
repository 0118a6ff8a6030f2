import { assert, assertEquals, assertInstanceOf, assertMatch } from "@std/assert";
import { MigrationFailedError, type RunReport } from "../../../src/migrations/runner/mod.ts";
import type { ReindexSettings } from "../../../src/features/reindex/settings.ts";
import type { SearchConnection } from "../../../src/migrations/search/mod.ts";
import { reindexing } from "./support.ts";
import { ask, CLUSTERS, clusterTest, type RealCluster } from "../../servers/real.ts";
import {
  apply,
  connectionTo,
  openClient,
  planned,
  withSession,
} from "../../migrations/search/runner.ts";
import { leftoversOf, prune } from "../../../src/features/reindex/prune.ts";

/** An index of one test on a cluster, and the connection that migrates it. */
class TestIndex {
  readonly name = `w${crypto.randomUUID().slice(0, 8)}`;

  constructor(readonly cluster: RealCluster, readonly reindex: Partial<ReindexSettings> = {}) {}

  connection(): SearchConnection {
    const { cluster, name } = this;
    const authorization = cluster.password && `Basic ${btoa(`admin:${cluster.password}`)}`;
    const connection = {
      ...connectionTo(cluster.url),
      name,
      timeoutMs: 30_000,
      ...(authorization && { authorization }),
    };
    return reindexing(connection, { writePauseMs: 30_000, oldIndices: "keep", ...this.reindex });
  }

  async environment() {
    const { ca } = this.cluster;
    const caCert = ca && await Deno.readTextFile(ca);
    return { openClient: () => Promise.resolve(openClient(caCert ? { caCert } : undefined)) };
  }

  async migrate(file: unknown): Promise<RunReport> {
    return await apply(this.connection(), this.tree(file), await this.environment());
  }

  /** @returns the note */
  async migrated(file: unknown): Promise<string | undefined> {
    const { error, results } = await this.migrate(file);
    assertEquals(error, undefined);
    return results[0]?.note?.replaceAll(this.name, "orders");
  }

  /** @returns the message of the failure */
  async refused(file: unknown): Promise<string> {
    const { error } = await this.migrate(file);
    assertInstanceOf(error, MigrationFailedError);
    return error.message.replaceAll(this.name, "orders");
  }

  tree(file: unknown) {
    return { [`${this.name}.json`]: JSON.stringify(file) };
  }

  async ask(method: string, path: string, body?: unknown): Promise<Record<string, never>> {
    const [target, text] = [path, JSON.stringify(body ?? null)].map((part) =>
      part.replaceAll("orders", this.name)
    );
    const { json } = await ask(this.cluster, method, target!, JSON.parse(text!) ?? undefined);
    return json as Record<string, never>;
  }

  /** Aliases by the name of each index, both with `orders` in place of the name. */
  async aliases(): Promise<Record<string, unknown>> {
    const json = await this.ask(
      "GET",
      "/orders,orders-*/_alias?ignore_unavailable=true&expand_wildcards=all",
    );
    const text = JSON.stringify(json).replaceAll(this.name, "orders").replace(
      /-[0-9a-f]{8}-/g,
      "-#-",
    );
    const found = JSON.parse(text) as Record<string, { aliases: unknown }>;
    return Object.fromEntries(
      Object.entries(found).map(([index, { aliases }]) => [index, aliases]).toSorted(),
    );
  }

  async write(...documents: readonly unknown[]): Promise<void> {
    for (const [index, document] of documents.entries()) {
      const answer = await this.ask("PUT", `/orders/_doc/${index}?refresh=true`, document);
      assert(/created|updated/.test(String(answer.result)), JSON.stringify(answer));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const json = await this.ask(
      "GET",
      "/orders,orders-*/_alias?ignore_unavailable=true&expand_wildcards=all",
    );
    for (const index of Object.keys(json)) await this.ask("DELETE", `/${index}`);
    await this.ask("DELETE", "/_index_template/orders");
    await this.ask("DELETE", "/_ingest/pipeline/orders");
    const query = { query: { term: { connection: this.name } } };
    await this.ask("POST", "/framework_migrations/_delete_by_query?refresh=true", query);
    await this.ask("DELETE", `/framework_migrations_lock/_doc/${this.name}`);
  }
}

const index = (properties: object, settings: object = {}, more: object = {}) => ({
  settings: { number_of_shards: 1, number_of_replicas: 0, ...settings },
  mappings: { properties },
  ...more,
});
const keyword = { type: "keyword" };
const long = { type: "long" };

/** Registers a test for each cluster. */
function test(
  name: string,
  work: (place: TestIndex) => Promise<void>,
  reindex?: Partial<ReindexSettings>,
): void {
  for (const cluster of CLUSTERS) {
    clusterTest(cluster, `index_changes: ${name}`, async () => {
      await using place = new TestIndex(cluster, reindex);
      await work(place);
    });
  }
}

test("a new index is made under a name of its own, and its file's name is its alias", async (place) => {
  assertMatch(await place.migrated(index({ a: keyword })) ?? "", /^made as 'orders-[0-9a-f]{8}-1'/);
  assertEquals(await place.aliases(), { "orders-#-1": { orders: {} } });
});

test("what the cluster would not see is recorded", async (place) => {
  await place.migrated(index({ a: keyword }));
  const note = await place.migrated(index({ a: { ...keyword, index: true } }));
  assertEquals(note, "nothing of it differs from what is there");
  assertEquals(await place.aliases(), { "orders-#-1": { orders: {} } });
});

test("what a live index takes is changed in place", async (place) => {
  await place.migrated(index({ a: keyword }));
  await place.write({ a: "x", dyn: 1 });
  const file = index({ a: { ...keyword, eager_global_ordinals: true }, b: long }, {
    refresh_interval: "7s",
  }, {
    aliases: { "orders-all": { filter: { term: { a: "x" } } } },
  });
  const plan = await planned(place.connection(), place.tree(file), await place.environment());
  assertMatch(plan.steps[0]?.note ?? "", /changed in place/);
  assertMatch(await place.migrated(file) ?? "", /^changed in place: .* is left: mappings.dyn$/);
  assertEquals(await place.aliases(), {
    "orders-#-1": { orders: {}, "orders-all": { filter: { term: { a: "x" } } } },
  });
  const live = JSON.stringify(await place.ask("GET", "/orders?flat_settings=true"));
  for (
    const part of [
      '"eager_global_ordinals":true',
      '"b":{"type":"long"}',
      '"index.refresh_interval":"7s"',
    ]
  ) {
    assert(live.includes(part), `${part} in ${live}`);
  }
});

test("a field's type is changed by a copy, which keeps what the file does not name", async (place) => {
  await place.migrated(index({ a: keyword }));
  await place.write({ a: "1", dyn: "text of its own" }, { a: "2" });
  await place.ask("PUT", "/orders/_settings", { "index.max_result_window": 5000 });
  const [live = ""] = Object.keys(await place.ask("GET", "/orders/_alias"));
  await place.ask("POST", "/_aliases", {
    actions: [{ add: { index: live, alias: "orders-2", filter: { term: { a: "2" } } } }],
  });
  const file = index({ a: long });
  const plan = await planned(place.connection(), place.tree(file), await place.environment());
  assertMatch(plan.steps[0]?.note ?? "", /\(2 documents, .* MB\) will be copied into/);
  const note = await place.migrated(file) ?? "";
  assertMatch(
    note,
    /^copied 2 documents into 'orders-[0-9a-f]{8}-2'; writers waited \d+\.\d s; the old data is 'orders-[0-9a-f]{8}-1'$/,
  );
  assertEquals(await place.aliases(), {
    "orders-#-1": {},
    "orders-#-2": { orders: {}, "orders-2": { filter: { term: { a: "2" } } } },
  });
  const copy = JSON.stringify(await place.ask("GET", "/orders?flat_settings=true"));
  for (
    const part of [
      '"a":{"type":"long"}',
      '"dyn":{"type":"text"',
      '"index.max_result_window":"5000"',
    ]
  ) {
    assert(copy.includes(part), `${part} in ${copy}`);
  }
  for (const gone of ["gc_deletes", "blocks", "refresh_interval", "pipeline"]) {
    assert(!copy.includes(gone), `${gone} in ${copy}`);
  }
  await place.write({ a: 1 });
  const again = await place.migrate(file);
  assertEquals([again.results[0]?.outcome, again.requests], ["skipped", 1]);
});

test("the plan warns of segment replication, which makes later copies impossible", async (place) => {
  const plan = async (more: object) => {
    const tree = place.tree(index({ a: long }, more));
    const { steps } = await planned(place.connection(), tree, await place.environment());
    return steps[0]!.note!;
  };
  const warning = /; no later change can be copied: an index with 'replication\.type: SEGMENT'/;
  const segment = { replication: { type: "SEGMENT" } };
  assertMatch(await plan(segment), warning);
  assertEquals(warning.test(await plan({})), false);
  await place.migrated(index({ a: keyword }));
  assertMatch(await plan(segment), warning);
});

for (const replicas of [{ number_of_replicas: 0 }, { number_of_replicas: 2 }]) {
  test(`a backup has the replicas that the index had, ${replicas.number_of_replicas}`, async (place) => {
    await place.ask("PUT", "/orders", index({ a: keyword }, replicas));
    await place.write({ a: "1" });
    await place.migrated(index({ a: long }, replicas));
    const path = "/orders-before-1/_settings?flat_settings=true";
    const found = JSON.stringify(await place.ask("GET", path));
    assert(found.includes(`"index.number_of_replicas":"${replicas.number_of_replicas}"`), found);
  });
}

test("an index of its own name becomes an alias, and its data is kept", async (place) => {
  await place.ask("PUT", "/orders", index({ a: keyword }, {}, { aliases: { "orders-all": {} } }));
  await place.write({ a: "1" });
  assertMatch(await place.migrated(index({ a: long })) ?? "", /the old data is 'orders-before-1'$/);
  assertEquals(await place.aliases(), {
    "orders-#-1": { orders: {}, "orders-all": {} },
    "orders-before-1": {},
  });
  assertEquals((await place.ask("GET", "/orders-before-1/_count")).count, 1);
  await withSession(place.connection(), place.tree({}), async (session, files) => {
    const left = await leftoversOf(session);
    assertEquals(left.map(({ name }) => name), [`${place.name}-before-1`]);
    const { deleted, kept } = await prune(session, files, left);
    assertEquals([deleted.length, kept.length], [1, 0]);
    assertEquals(await leftoversOf(session), []);
  }, await place.environment());
  assertEquals(await place.aliases(), { "orders-#-1": { orders: {}, "orders-all": {} } });
});

test("an old index that is used again is not pruned", async (place) => {
  await place.migrated(index({ a: keyword }));
  await place.migrated(index({ a: long }));
  await withSession(place.connection(), place.tree({}), async (session, files) => {
    const left = await leftoversOf(session);
    await place.ask("POST", "/_aliases", {
      actions: [{ add: { index: left[0]!.name, alias: "orders-used" } }],
    });
    const { deleted, kept } = await prune(session, files, left);
    assertEquals([deleted.length, kept.length], [0, 1]);
  }, await place.environment());
});

test("old indices are deleted where that is asked for", async (place) => {
  await place.ask("PUT", "/orders", index({ a: keyword }));
  await place.migrated(index({ a: long }));
  assertEquals(await place.aliases(), { "orders-#-1": { orders: {} } });
  await place.migrated(index({ a: { type: "integer" } }));
  assertEquals(await place.aliases(), { "orders-#-2": { orders: {} } });
}, { oldIndices: "delete" });

test("A, B and A again are three indices", async (place) => {
  await place.migrated(index({ a: keyword }));
  await place.migrated(index({ a: long }));
  await place.migrated(index({ a: keyword }));
  assertEquals(Object.keys(await place.aliases()), ["orders-#-1", "orders-#-2", "orders-#-3"]);
});

test("documents that the new mapping refuses are named, and nothing is changed", async (place) => {
  await place.migrated(index({ a: keyword }));
  await place.write({ a: "1" }, { a: "x" });
  const message = await place.refused(index({ a: long }));
  assertMatch(
    message,
    /refuses documents, 1 at least[^]*'1': .*failed to parse field \[a\] of type \[long\]/,
  );
  assertMatch(message, /reindex_pipeline[^]*_update_by_query/);
  assertEquals(await place.aliases(), { "orders-#-1": { orders: {} } });
  await place.write({ a: "y" });
});

test("a pipeline makes documents fit", async (place) => {
  const { name } = place;
  await place.ask("PUT", "/_ingest/pipeline/orders", {
    processors: [{
      convert: { field: "a", type: "long", on_failure: [{ remove: { field: "a" } }] },
    }],
  });
  const fitting = new TestIndex(place.cluster, { pipeline: name });
  Object.assign(fitting, { name });
  await place.migrated(index({ a: keyword }));
  await place.write({ a: "1" }, { a: "x" });
  assertMatch(await fitting.migrated(index({ a: long })) ?? "", /^copied 2 documents/);
  assertEquals((await place.ask("GET", "/orders/_doc/0"))._source, { a: 1 } as never);
  assertEquals((await place.ask("GET", "/orders/_doc/1"))._source, {} as never);
});

test("aliases and pipelines of templates do not get in the way", async (place) => {
  await place.ask("PUT", "/_ingest/pipeline/orders", {
    processors: [{ set: { field: "p", value: 1 } }],
  });
  await place.ask("PUT", "/_index_template/orders", {
    index_patterns: [`${place.name}*`],
    template: { aliases: { "orders-t": {} }, settings: { default_pipeline: place.name } },
  });
  await place.migrated(index({ a: keyword }));
  await place.write({ a: "1" });
  await place.migrated(index({ a: long }));
  assertEquals(await place.aliases(), {
    "orders-#-1": {},
    "orders-#-2": { orders: {}, "orders-t": {} },
  });
  const live = JSON.stringify(await place.ask("GET", "/orders/_settings?flat_settings=true"));
  assert(live.includes(`"index.default_pipeline":"${place.name}"`), live);
});

test("writers are not kept waiting where that is not wanted", async (place) => {
  await place.migrated(index({ a: keyword }));
  await place.write({ a: "1" });
  assertMatch(await place.refused(index({ a: long })), /'write_pause' is 'none'.*_block\/write/);
  await place.ask("PUT", "/orders/_block/write");
  assertMatch(
    await place.migrated(index({ a: long })) ?? "",
    /^copied 1 documents? into '[^']*'; the old data/,
  );
  await place.write({ a: 2 });
}, { writePauseMs: "none" });

test("a pause that is too long is given up after three times", async (place) => {
  await place.migrated(index({ a: keyword }));
  await place.write({ a: "1" });
  assertMatch(
    await place.refused(index({ a: long })),
    /could not replace 'orders' in 3 attempts; in the last one, writers would have had to wait longer than 0.001 s/,
  );
  assertEquals(await place.aliases(), { "orders-#-1": { orders: {} } });
  await place.write({ a: "y" });
}, { writePauseMs: 1 });

test("an alias that the file cannot be given is refused before anything is copied", async (place) => {
  await place.migrated(index({ a: keyword }));
  await place.write({ a: "1" });
  await place.ask("PUT", "/orders-taken");
  await place.ask("PUT", "/orders-other", { aliases: { "orders-w": { is_write_index: true } } });
  const file = (aliases: object) => index({ a: long }, {}, { aliases });
  assertMatch(
    await place.refused(file({ [`${place.name}-taken`]: {} })),
    /but an index has that name/,
  );
  assertMatch(
    await place.refused(file({ [`${place.name}-w`]: { is_write_index: true } })),
    /already has the write index 'orders-other'/,
  );
  const more = { ...file({ [`${place.name}-w`]: { is_write_index: true } }) };
  Object.assign(more, { mappings: { properties: { a: keyword, b: long } } });
  assertMatch(await place.refused(more), /already has the write index 'orders-other'/);
  const filter = { nonsense: {} };
  assertMatch(
    await place.refused(file({ [`${place.name}-f`]: { filter } })),
    /The filter of the alias/,
  );
  assertEquals(Object.keys(await place.aliases()), ["orders-#-1", "orders-other", "orders-taken"]);
  await place.write({ a: "y" });
});

test("a file without '_source' is refused before anything is copied", async (place) => {
  await place.migrated(index({ a: keyword }));
  await place.write({ a: "1" });
  const file = {
    settings: {},
    mappings: { _source: { enabled: false }, properties: { a: keyword } },
  };
  assertMatch(await place.refused(file), /cannot hold a copy: its mapping has '_source' disabled/);
  assertEquals(await place.aliases(), { "orders-#-1": { orders: {} } });
});

test("a mistake in the file leaves nothing behind", async (place) => {
  await place.migrated(index({ a: keyword }));
  const message = await place.refused(index({ a: { type: "nonsense" } }));
  assertMatch(message, /No handler for type \[nonsense\]/);
  assertEquals(message.includes("next run goes on"), false);
  assertEquals(await place.aliases(), { "orders-#-1": { orders: {} } });
});

test("large documents are copied", async (place) => {
  await place.migrated(index({ a: keyword }));
  for (let number = 0; number < 20; number++) {
    await place.ask("PUT", `/orders/_doc/large${number}`, { a: "1", t: "x".repeat(300_000) });
  }
  assertMatch(await place.migrated(index({ a: long })) ?? "", /^copied 20 documents/);
});

test("a pipeline that fails for a document is reported with its id", async (place) => {
  await place.ask("PUT", "/_ingest/pipeline/orders", {
    processors: [{ convert: { field: "a", type: "long" } }],
  });
  const through = new TestIndex(place.cluster, { pipeline: place.name });
  Object.assign(through, { name: place.name });
  await place.migrated(index({ a: keyword }));
  await place.write({ a: "1" }, { a: "x" });
  assertMatch(await through.refused(index({ a: long })), /'1': .*unable to convert \[x\] to long/);
  assertEquals(await place.aliases(), { "orders-#-1": { orders: {} } });
  await place.write({ a: "y" });
});

test("a pipeline that rejects a document by 'fail' is reported with its id", async (place) => {
  await place.ask("PUT", "/_ingest/pipeline/orders", {
    processors: [{ fail: { if: "ctx.a == 'x'", message: "no" } }],
  });
  const through = new TestIndex(place.cluster, { pipeline: place.name });
  Object.assign(through, { name: place.name });
  await place.migrated(index({ a: keyword }));
  await place.write({ a: "1" }, { a: "x" });
  assertMatch(await through.refused(index({ a: long })), /'1': fail_processor_exception: no/);
  assertEquals(await place.aliases(), { "orders-#-1": { orders: {} } });
});

test("a missing pipeline is reported before anything is made", async (place) => {
  const none = new TestIndex(place.cluster, { pipeline: `${place.name}-none` });
  Object.assign(none, { name: place.name });
  await place.migrated(index({ a: keyword }));
  await place.write({ a: "1" });
  assertMatch(
    await none.refused(index({ a: long })),
    /names the pipeline 'orders-none', which does not exist/,
  );
});

/** Changes that are refused before anything is written, and the advice. */
const REFUSED: readonly {
  name: string;
  make: (place: TestIndex) => Promise<unknown>;
  message: RegExp;
}[] = [
  {
    name: "a data stream",
    make: async (place) => {
      await place.ask("PUT", "/_index_template/orders", {
        index_patterns: [`${place.name}*`],
        data_stream: {},
      });
      await place.ask("PUT", "/_data_stream/orders");
    },
    message: /is a data stream.*_rollover/,
  },
  {
    name: "a rollover series",
    make: (place) =>
      place.ask(
        "PUT",
        "/orders-000001",
        index({ a: keyword }, {}, { aliases: { [place.name]: {} } }),
      ),
    message: /is a series of indices.*_rollover/,
  },
  {
    name: "an index of a rollover series",
    make: async (place) => {
      await place.ask("PUT", "/orders-000001", {
        ...index({ a: keyword }),
        aliases: { orders: { is_write_index: true } },
      });
      Object.assign(place, { name: `${place.name}-000001` });
    },
    message: /is of a series of indices.*_rollover/,
  },
  {
    name: "an alias that points elsewhere",
    make: (place) =>
      place.ask("PUT", "/orders-v1", index({ a: keyword }, {}, { aliases: { [place.name]: {} } })),
    message: /is an alias of 'orders-v1'/,
  },
  {
    name: "'_source' that is disabled",
    make: (place) =>
      place.ask("PUT", "/orders", {
        mappings: { _source: { enabled: false }, properties: { a: keyword } },
      }),
    message: /'_source' disabled/,
  },
  {
    name: "'_source' that is filtered",
    make: (place) =>
      place.ask("PUT", "/orders", {
        mappings: { _source: { excludes: ["b"] }, properties: { a: keyword } },
      }),
    message: /'_source' is filtered/,
  },
  {
    name: "segment replication",
    make: (place) =>
      place.ask("PUT", "/orders", index({ a: keyword }, { "index.replication.type": "SEGMENT" })),
    message: /segment replication/,
  },
];

for (const { name, make, message } of REFUSED) {
  test(`${name} is refused, with the way out`, async (place) => {
    await make(place);
    const before = await place.aliases();
    const plan = await planned(
      place.connection(),
      place.tree(index({ a: long })),
      await place.environment(),
    );
    const [found] = plan.steps[0]?.findings ?? [];
    assertMatch(found?.message.replaceAll(place.name, "orders") ?? "", message);
    assertMatch(await place.refused(index({ a: long })), message);
    assertEquals(await place.aliases(), before);
    await place.ask("DELETE", "/_data_stream/orders");
  });
}

test("documents with one id that belong to one shard of the new index are named", async (place) => {
  await place.migrated(index({ a: keyword }, { number_of_shards: 4 }));
  for (const routing of ["a", "b", "c", "d", "e"]) {
    await place.ask("PUT", `/orders/_doc/1?routing=${routing}&refresh=true`, { a: routing });
  }
  assertMatch(
    await place.refused(index({ a: keyword }, { number_of_shards: 1 })),
    /Two documents have the id '1', with the routings '.' and '.'.*keep the number of shards/,
  );
  assertEquals(await place.aliases(), { "orders-#-1": { orders: {} } });
});

test(
  "an index that its owner has blocked is compared again, too, before it is given up",
  async (place) => {
    await place.migrated(index({ a: keyword }, { number_of_shards: 4 }));
    for (const routing of ["a", "b", "c", "d", "e"]) {
      await place.ask("PUT", `/orders/_doc/1?routing=${routing}&refresh=true`, { a: routing });
    }
    await place.ask("PUT", "/orders/_block/write");
    assertMatch(
      await place.refused(index({ a: keyword }, { number_of_shards: 1 })),
      /Two documents have the id '1', with the routings/,
    );
    assertEquals(await place.aliases(), { "orders-#-1": { orders: {} } });
    const answer = JSON.stringify(await place.ask("PUT", "/orders/_doc/2", {}));
    assertMatch(answer, /cluster_block_exception/);
  },
  { writePauseMs: "none" },
);

test("a number in another form is no difference", async (place) => {
  const file = (priority: number, b: unknown) =>
    index({}, { "index.priority": priority, similarity: { default: { type: "BM25", b } } });
  await place.ask("PUT", "/orders", file(1, "0.0"));
  assertMatch(await place.migrated(file(2, 0)) ?? "", /^changed in place: settings.index.priority/);
});

test("an index without a mapping and without documents is copied", async (place) => {
  const file = (shards: number) => ({
    settings: { ...index({}).settings, number_of_shards: shards },
  });
  await place.migrated(file(1));
  assertMatch(await place.migrated(file(2)) ?? "", /^copied 0 documents/);
});

test("plan refuses what migrate refuses: a series, a '_source' that is to be filtered", async (place) => {
  const refusals = async (file: unknown) => {
    const plan = await planned(place.connection(), place.tree(file), await place.environment());
    const { error } = await place.migrate(file);
    return [plan.steps[0]?.findings?.[0]?.message, error?.message];
  };
  await place.migrated(index({ a: keyword }));
  const filtered = index({ a: long });
  Object.assign(filtered.mappings, { _source: { excludes: ["b"] } });
  for (const message of await refusals(filtered)) assertMatch(message!, /'_source' is filtered/);
  Object.assign(place, { name: `${place.name}s` });
  const series = { [place.name]: { is_write_index: true } };
  await place.ask("PUT", "/orders-000001", index({ a: keyword }, {}, { aliases: series }));
  await place.ask("POST", "/orders/_rollover");
  for (const message of await refusals(index({ a: keyword }))) {
    assertMatch(message!, /is a series of indices/);
  }
});
