import { assertEquals } from "@std/assert";
import { definitionOf, firstBody, nextBody } from "../../../src/features/reindex/definition.ts";
import type { LiveIndex } from "../../../src/features/live_indices/live_index.ts";

function live(index: Partial<LiveIndex>): LiveIndex {
  const answer = { status: 200, text: "{}", json: {}, host: "h" };
  return { name: "orders", settings: {}, mappings: {}, aliases: {}, answer, ...index };
}

Deno.test("firstBody() keeps mappings byte for byte and adds the name as an alias", () => {
  const text = `{ "settings": {"number_of_shards": 2},
    "mappings": { "_meta": {"n": 12345678901234567890, "f": 1.0} }, "aliases": {"a": {"routing": "1"}} }`;
  const body = firstBody(definitionOf(text), "orders");
  assertEquals(body.includes(`"_meta": {"n": 12345678901234567890, "f": 1.0}`), true);
  assertEquals(JSON.parse(body).aliases, { orders: {}, a: { routing: "1" } });
  assertEquals(JSON.parse(body).settings, { "index.number_of_shards": 2 });
});

Deno.test("firstBody() lets the file say how its own name is an alias", () => {
  const file = definitionOf(`{"aliases": {"orders": {"is_write_index": true}}}`);
  assertEquals(JSON.parse(firstBody(file, "orders")).aliases, {
    orders: { is_write_index: true },
  });
});

Deno.test("nextBody() keeps settings and parameters that the file does not name", () => {
  const file = definitionOf(
    `{"settings": {"index": {"codec": "default", "max_result_window": null}}, "mappings": {"properties": {"a": {"type": "long"}}}}`,
  );
  const body = nextBody(
    file,
    live({
      settings: {
        "index.uuid": "u",
        "index.creation_date": "1",
        "index.version.created": "136",
        "index.provided_name": "orders",
        "index.blocks.write": "true",
        "index.replication.type": "DOCUMENT",
        "index.number_of_shards": "3",
        "index.refresh_interval": "30s",
        "index.codec": "best_compression",
        "index.max_result_window": "20000",
        "index.plugins.index_state_management.policy_id": "p",
        "index.resize.source.name": "x",
      },
      mappings: { dynamic: "strict", properties: { a: { type: "keyword" } } },
    }),
    { m: {} },
  );
  assertEquals(JSON.parse(body), {
    settings: {
      "index.number_of_shards": "3",
      "index.refresh_interval": "30s",
      "index.codec": "default",
    },
    mappings: { properties: { a: { type: "long" } }, dynamic: "strict" },
    aliases: { m: {} },
  });
});

Deno.test("nextBody() takes an analyzer that the file names as a whole, and keeps others", () => {
  const file = definitionOf(
    `{"settings": {"analysis": {"analyzer": {"a": {"type": "standard"}}}}}`,
  );
  const settings = {
    "index.analysis.analyzer.a.type": "custom",
    "index.analysis.analyzer.a.tokenizer": "keyword",
    "index.analysis.analyzer.b.type": "simple",
  };
  assertEquals(JSON.parse(nextBody(file, live({ settings }), {})).settings, {
    "index.analysis.analyzer.b.type": "simple",
    "index.analysis.analyzer.a.type": "standard",
  });
});

Deno.test("nextBody() drops routing shards where the file names the shards", () => {
  const file = definitionOf(`{"settings": {"index.number_of_shards": 3}}`);
  const settings = { "index.number_of_shards": "2", "index.number_of_routing_shards": "8" };
  assertEquals(JSON.parse(nextBody(file, live({ settings }), {})).settings, {
    "index.number_of_shards": 3,
  });
});
