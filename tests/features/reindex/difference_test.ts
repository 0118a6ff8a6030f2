import { assertEquals } from "@std/assert";
import { definitionOf } from "../../../src/features/reindex/definition.ts";
import {
  allOf,
  differenceOf,
  expectedWay,
  leftFields,
  type Way,
} from "../../../src/features/reindex/difference.ts";

const keyword = { type: "keyword" };
const long = { type: "long" };

interface Case {
  readonly name: string;
  /** The settings and mappings of the file. */
  readonly file: Record<string, unknown>;
  /** Settings by their whole names, mappings, aliases. */
  readonly live: { settings?: object; mappings?: object; aliases?: object };
  readonly way: Way;
  /** Paths of what differs. */
  readonly differs?: readonly string[];
  readonly left?: readonly string[];
}

const properties = (fields: object, more: object = {}) => ({
  mappings: { ...more, properties: fields },
});

const CASES: readonly Case[] = [
  {
    name: "an empty file",
    file: {},
    live: properties({ a: keyword }),
    way: "nothing",
    left: ["mappings.a"],
  },
  {
    name: "the same field",
    file: properties({ a: keyword }),
    live: properties({ a: keyword }),
    way: "nothing",
  },
  {
    name: "an object whose type one of them shows",
    file: properties({ a: { type: "object" } }),
    live: properties({ a: { properties: { b: long } } }),
    way: "nothing",
    left: ["mappings.a.b"],
  },
  {
    name: "a parameter that has this value by default for other types",
    file: properties({ a: { type: "binary", doc_values: true } }),
    live: properties({ a: { type: "binary" } }),
    way: "copy",
    differs: ["mappings.a.doc_values"],
  },
  {
    name: "a new field",
    file: properties({ a: keyword, b: long }),
    live: properties({ a: keyword }),
    way: "in place",
    differs: ["mappings.b"],
  },
  {
    name: "a field that is not named",
    file: properties({ a: keyword }),
    live: properties({ a: keyword, b: long }),
    way: "nothing",
    left: ["mappings.b"],
  },
  {
    name: "new and other fields with the names of what all objects of JavaScript have",
    file: properties({ constructor: keyword }),
    live: properties({ toString: long }),
    way: "in place",
    differs: ["mappings.constructor"],
    left: ["mappings.toString"],
  },
  {
    name: "a field that is not let in",
    file: properties({ a: keyword }, { dynamic: "strict" }),
    live: properties({ a: keyword, b: long }, { dynamic: "strict" }),
    way: "copy",
    differs: ["mappings.b"],
  },
  {
    name: "a field that is not let in by the object around",
    file: properties({ o: { dynamic: false, properties: { a: keyword } } }),
    live: properties({ o: { dynamic: "false", properties: { a: keyword, b: long } } }),
    way: "copy",
    differs: ["mappings.o.b"],
  },
  {
    name: "another type",
    file: properties({ a: long }),
    live: properties({ a: keyword }),
    way: "copy",
    differs: ["mappings.a.type"],
  },
  {
    name: "a parameter that documents are searched by",
    file: properties({ a: { type: "text", search_analyzer: "simple", analyzer: "standard" } }),
    live: properties({ a: { type: "text", analyzer: "standard" } }),
    way: "in place",
    differs: ["mappings.a.search_analyzer"],
  },
  {
    name: "a parameter that documents are indexed by, which the cluster would take",
    file: properties({ a: { type: "keyword", ignore_above: 10 } }),
    live: properties({ a: keyword }),
    way: "copy",
    differs: ["mappings.a.ignore_above"],
  },
  {
    name: "a parameter that was removed",
    file: properties({ a: { type: "text" } }),
    live: properties({ a: { type: "text", analyzer: "english" } }),
    way: "copy",
    differs: ["mappings.a.analyzer"],
  },
  {
    name: "a field below a field",
    file: properties({ a: { type: "text", fields: { raw: keyword } } }),
    live: properties({ a: { type: "text" } }),
    way: "in place",
    differs: ["mappings.a.raw"],
  },
  {
    name: "a parameter of the root that is not named",
    file: properties({ a: keyword }),
    live: properties({ a: keyword }, { dynamic: "strict" }),
    way: "nothing",
    left: ["mappings.dynamic"],
  },
  {
    name: "a dynamic setting",
    file: { settings: { refresh_interval: "5s" } },
    live: { settings: { "index.refresh_interval": "1s" } },
    way: "in place",
    differs: ["settings.index.refresh_interval"],
  },
  {
    name: "a number as its text",
    file: { settings: { number_of_replicas: 1 } },
    live: { settings: { "index.number_of_replicas": "1" } },
    way: "nothing",
  },
  {
    name: "a setting that is not named",
    file: { settings: {} },
    live: { settings: { "index.refresh_interval": "1s", "index.number_of_shards": "3" } },
    way: "nothing",
    left: ["index.refresh_interval"],
  },
  {
    name: "another number of shards",
    file: { settings: { index: { number_of_shards: 2 } } },
    live: { settings: { "index.number_of_shards": "1" } },
    way: "copy",
    differs: ["settings.index.number_of_shards"],
  },
  {
    name: "an analyzer that lost a filter",
    file: { settings: { analysis: { analyzer: { a: { tokenizer: "keyword" } } } } },
    live: {
      settings: {
        "index.analysis.analyzer.a.tokenizer": "keyword",
        "index.analysis.analyzer.a.filter": ["lowercase"],
      },
    },
    way: "copy",
    differs: ["settings.index.analysis.analyzer.a.filter"],
  },
  {
    name: "a new alias",
    file: { aliases: { all: {} } },
    live: { aliases: { orders: {} } },
    way: "in place",
    differs: ["aliases.all"],
  },
  {
    name: "an alias with another filter",
    file: { aliases: { all: { filter: { term: { a: 1 } } } } },
    live: { aliases: { all: { filter: { term: { a: 2 } } } } },
    way: "in place",
    differs: ["aliases.all"],
  },
  {
    name: "an alias whose routing is written in short",
    file: { aliases: { all: { routing: "1" } } },
    live: { aliases: { all: { index_routing: "1", search_routing: "1" } } },
    way: "nothing",
  },
];

for (const { name, file, live, way, differs = [], left = [] } of CASES) {
  Deno.test(`differenceOf() of ${name}: ${way}`, () => {
    const definition = definitionOf(JSON.stringify(file));
    const made = {
      settings: definition.settings,
      mappings: (file.mappings ?? {}) as Record<string, unknown>,
    };
    const found = differenceOf(definition, made, {
      settings: (live.settings ?? {}) as Record<string, unknown>,
      mappings: (live.mappings ?? {}) as Record<string, unknown>,
      aliases: (live.aliases ?? {}) as Record<string, Record<string, unknown>>,
    });
    assertEquals(expectedWay(found), way);
    assertEquals(allOf(found).map(({ path }) => path), differs);
    assertEquals(found.left, left);
  });
}

Deno.test("differenceOf() names what documents may have that are there", () => {
  const unindexed = (file: object, live: object) => {
    const definition = definitionOf(JSON.stringify({ mappings: file }));
    const made = { settings: {}, mappings: file as Record<string, unknown> };
    const mappings = live as Record<string, unknown>;
    return differenceOf(definition, made, { settings: {}, mappings, aliases: {} }).unindexed;
  };
  const text = { type: "text" };
  const raw = { ...text, fields: { raw: keyword } };
  assertEquals(unindexed({ properties: { a: raw } }, { properties: { a: text } }), [
    "mappings.a.raw",
  ]);
  assertEquals(unindexed({ properties: { a: text } }, { properties: {} }), []);
  assertEquals(unindexed({ properties: { a: text } }, { dynamic: "false" }), ["mappings.a"]);
  assertEquals(unindexed({ properties: { a: text } }, { dynamic: "strict" }), []);
  const object = { properties: { o: { properties: { a: text } } } };
  const closed = { properties: { o: { dynamic: "false", properties: { b: text } } } };
  assertEquals(unindexed(object, closed), ["mappings.o.a"]);
});

Deno.test("leftFields() gives what a new index lacks, at every depth", () => {
  const made = { properties: { a: long, o: { properties: { x: keyword } }, t: { type: "text" } } };
  const live = {
    properties: {
      a: keyword,
      b: long,
      o: { properties: { x: keyword, y: long } },
      t: { type: "text", fields: { raw: keyword } },
    },
  };
  assertEquals(leftFields(made, live), {
    properties: {
      b: long,
      o: { properties: { y: long } },
      t: { type: "text", fields: { raw: keyword } },
    },
  });
  assertEquals(leftFields(live, made), undefined);
  const named = { properties: { constructor: keyword } };
  assertEquals(leftFields(made, named), named);
});

Deno.test("leftFields() leaves out what is not let in", () => {
  const made = {
    dynamic: "strict",
    properties: { o: { dynamic: true, properties: { x: keyword } } },
  };
  const live = { properties: { b: long, o: { properties: { x: keyword, y: long } } } };
  assertEquals(leftFields(made, live), {
    dynamic: "strict",
    properties: { o: { dynamic: true, properties: { y: long } } },
  });
});
