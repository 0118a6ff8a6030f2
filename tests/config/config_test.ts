import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type } from "arktype";
import * as v from "valibot";
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { z } from "zod";
import { ConfigError, createConfig } from "../../src/config/mod.ts";

const config = createConfig({
  text: "a",
  number: 1.5,
  digits: "42",
  flag: true,
  "word": "false",
  list: ["a", 1],
  map: { inner: { deep: null } },
  password: ["x"],
  "dotted.key": "d",
});

Deno.test("createConfig converts on request and refuses what does not convert", () => {
  assertEquals([config.string("number"), config.string("flag")], ["1.5", "true"]);
  assertEquals([config.number("number"), config.number("digits")], [1.5, 42]);
  assertEquals([config.boolean("flag"), config.boolean("word")], [true, false]);
  assertEquals([config.strings("list"), config.strings("text")], [["a", "1"], ["a"]]);
  assertEquals(config.string("dotted.key"), "d");
  assertEquals([config.string("none", "x"), config.number("none", 2), config.boolean("none")], [
    "x",
    2,
    undefined,
  ]);
  const wrong: [() => unknown, string][] = [
    [() => config.string("list"), "'list': Expected a string, found a list"],
    [() => config.number("text"), "'text': Expected a number, found 'a'"],
    [() => config.boolean("text"), "'text': Expected true or false, found 'a'"],
    [() => config.section("text"), "'text': Expected a map, found 'a'"],
    [() => config.sections("text"), "'text': Expected a list of maps, found 'a'"],
    [() => config.strings("map"), "'map': Expected a string, found a map"],
  ];
  for (const [read, message] of wrong) {
    assertStringIncludes(assertThrows(read, ConfigError).message, message);
  }
});

Deno.test("Config.required gives a value of its kind, or says where to set it", () => {
  const text: string = config.required("text");
  const number: number = config.required("digits", "number");
  const list: readonly string[] = config.required("list", "strings");
  assertEquals([text, number, list], ["a", 42, ["a", "1"]]);
  assertEquals(config.required("word", "boolean"), false);
  assertEquals(config.required("map", "section").keys(), ["inner"]);
  for (const key of ["none", "map.inner.deep", "text.none"]) {
    for (const kind of ["string", "number", "boolean", "strings", "section"] as const) {
      const error = assertThrows(() => config.required(key, kind), ConfigError);
      assertEquals(
        error.message,
        `'${key}': Expected a value, found none in application.yml, active profiles and bootstrap()`,
      );
    }
  }
  const wrong = assertThrows(() => config.required("text", "number"), ConfigError);
  assertEquals(wrong.message, "'text': Expected a number, found 'a'");
  const below = assertThrows(() => config.section("map")!.required("b"), ConfigError);
  assertStringIncludes(below.message, "'map.b': Expected a value");
});

Deno.test("Config never shows the value of a secret", () => {
  const error = assertThrows(() =>
    createConfig({ db: { password: "hunter2" } }).number("db.password")
  );
  assertEquals((error as Error).message, "'db.password': Expected a number");
});

Deno.test("Config.section keeps the full key in messages", () => {
  const error = config.section("map.inner")!.error("deep", "No");
  assertEquals(error.message, "'map.inner.deep': No");
});

Deno.test("Config.bind gives a typed section or names the key that does not fit", () => {
  const schema = z.object({ size: z.coerce.number().int(), tags: z.array(z.string()).default([]) });
  const page = createConfig({ page: { size: "20" } }).bind("page", schema);
  assertEquals(page, { size: 20, tags: [] });
  const wrong = createConfig({ page: { size: 1, tags: ["a", 2] } });
  const error = assertThrows(() => wrong.bind("page", schema), ConfigError);
  assertEquals(error.key, "page.tags[1]");
});

Deno.test("createConfig fills placeholders and overrides from the environment that it is given", () => {
  const edge = createConfig({ url: "https://${HOST}/", server: { port: 1 } }, {
    env: { HOST: "example.com", SERVER_PORT: "2", KV: {} },
  });
  assertEquals([edge.string("url"), edge.number("server.port")], ["https://example.com/", 2]);
});

Deno.test("createConfig does not let a key reach a prototype", () => {
  const config = createConfig(JSON.parse('{"__proto__": {"polluted": true}, "a": 1}'));
  assertEquals(({} as Record<string, unknown>).polluted, undefined);
  assertEquals([config.get("polluted"), config.get("constructor")], [undefined, undefined]);
});

Deno.test("Config.bind does not repeat the value of a secret", () => {
  const schema = {
    "~standard": {
      version: 1 as const,
      vendor: "test",
      validate: () => ({ issues: [{ message: "must not be hunter2", path: ["password"] }] }),
    },
  };
  const config = createConfig({ db: { password: "hunter2" } });
  const error = assertThrows(() => config.bind("db", schema), ConfigError);
  assertEquals(error.message, "'db.password': Does not match the schema");
});

Deno.test("Config.bind says of a secret what the schema expects", () => {
  const config = createConfig({
    db: { password: "hunter2", pin: "1", url: "hunter2", token: "x" },
  });
  const cases: readonly [StandardSchemaV1, string][] = [
    [
      z.object({ password: z.number() }),
      "'db.password': Does not match the schema: expected number",
    ],
    [
      z.object({ password: z.string().min(8) }),
      "'db.password': Does not match the schema: expected at least 8",
    ],
    [
      z.object({ password: z.string().max(3) }),
      "'db.password': Does not match the schema: expected at most 3",
    ],
    [z.object({ password: z.url() }), "'db.password': Does not match the schema: expected url"],
    [
      v.object({ password: v.number() }),
      "'db.password': Does not match the schema: expected number",
    ],
    [
      v.object({ password: v.pipe(v.string(), v.minLength(8)) }),
      "'db.password': Does not match the schema: expected >=8",
    ],
    [type({ password: "number" }), "'db.password': Does not match the schema: expected a number"],
    [
      z.object({ password: z.string().refine(() => false) }),
      "'db.password': Does not match the schema",
    ],
  ];
  for (const [schema, message] of cases) {
    assertEquals(assertThrows(() => config.bind("db", schema), ConfigError).message, message);
  }
});

Deno.test("Config.bind refuses an asynchronous schema", () => {
  const schema = {
    "~standard": {
      version: 1 as const,
      vendor: "test",
      validate: (value: unknown) => Promise.resolve({ value }),
    },
  };
  assertThrows(
    () => createConfig({ x: {} }).bind("x", schema),
    TypeError,
    "expected a synchronous schema",
  );
});

Deno.test("createConfig nests dotted keys at any depth and sets items of lists", () => {
  const config = createConfig({ a: { "b.c": 1 }, list: [{ "x.y": 1 }], "list[1].x": 2 });
  assertEquals(config.get("a"), { b: { c: 1 } });
  assertEquals(config.get("list"), [{ x: { y: 1 } }, { x: 2 }]);
});
