import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { stringify } from "@std/yaml";
import { linesOf } from "../../src/config/_lines.ts";

Deno.test("linesOf finds keys and items of block style, whatever lies between", () => {
  const yaml = [
    "# comment", // 1
    "a: 1", // 2
    "b:", // 3
    "  c: |", // 4
    "    d: no key", // 5
    "", // 6
    "  e: {x: 1}", // 7
    "list:", // 8
    "- name: one", // 9
    "  hosts:", // 10
    "    - h1", // 11
    "    - h2", // 12
    "- name: two", // 13
    "'quoted key': 1", // 14
    "url: http://x:80", // 15
  ].join("\n");
  assertEquals([...linesOf(yaml)], [
    ["a", 2],
    ["b", 3],
    ["b.c", 4],
    ["b.e", 7],
    ["list", 8],
    ["list[0]", 9],
    ["list[0].name", 9],
    ["list[0].hosts", 10],
    ["list[0].hosts[0]", 11],
    ["list[0].hosts[1]", 12],
    ["list[1]", 13],
    ["list[1].name", 13],
    ["quoted key", 14],
    ["url", 15],
  ]);
});

Deno.test("linesOf finds every key of generated block YAML", () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/).filter((key) =>
    !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].includes(key)
  );
  const value = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: "small" }, fc.integer(), name, tie("map"), tie("list")),
    map: fc.dictionary(name, tie("value"), { minKeys: 1, maxKeys: 4 }),
    list: fc.array(tie("value"), { minLength: 1, maxLength: 3 }),
  }));
  fc.assert(fc.property(value.map, (tree) => {
    const lines = linesOf(stringify(tree));
    for (const key of keysOf(tree)) {
      if (!lines.has(key)) throw new Error(`No line for ${key} in\n${stringify(tree)}`);
    }
  }));
});

Deno.test("linesOf never throws", () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(..."ab:- \n\"'|>[]{}#") }), (text) => {
    linesOf(text);
  }));
});

function* keysOf(value: unknown, path = ""): Iterable<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    const below = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    yield below;
    yield* keysOf(child, below);
  }
}
