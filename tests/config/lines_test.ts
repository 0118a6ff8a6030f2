import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parse } from "@std/yaml";
import { linesOf } from "../../src/config/_lines.ts";
import { parentOf } from "../../src/config/_path.ts";

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
  assertEquals([...linesOf(yaml)].map(([key, [line]]) => [key, line]), [
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

Deno.test("linesOf is not led astray by texts over several lines, quotes, tags and comments", () => {
  const yaml = [
    "a: 'one", // 1
    "  x: it''s text", // 2
    "  y: end'", // 3
    'b: "one \\" two', // 4
    'z: end"', // 5
    "c: &anchor !!str 'x'  # d: comment", // 6
    '"e: f": 1', // 7
    "# g: not here", // 8
    "h:", // 9
    "- - i: 1", // 10
    "    j: 2", // 11
    "  - k", // 12
    "- >-", // 13
    "  l: text", // 14
    "m : 1", // 15
    "server.port: 1", // 16
    "server:", // 17
    "  port: 2", // 18
  ];
  assertEquals(Object.fromEntries(linesOf(yaml.join("\r\n"))), {
    "a": [1],
    "b": [4],
    "c": [6],
    "e: f": [7],
    "h": [9],
    "h[0]": [10],
    "h[0][0]": [10],
    "h[0][0].i": [10],
    "h[0][0].j": [11],
    "h[0][1]": [12],
    "h[1]": [13],
    "m": [15],
    "server.port": [16, 18],
    "server": [17],
  });
});

Deno.test("linesOf finds the line of every key of generated block YAML", () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);
  const { tree } = fc.letrec<{ value: Tree; map: Tree; list: Tree; tree: Tree }>((tie) => ({
    value: fc.oneof({ depthSize: "small" }, name, tie("map"), tie("list")),
    map: fc.dictionary(name, tie("value"), { minKeys: 1, maxKeys: 4 }),
    list: fc.array(tie("value"), { minLength: 1, maxLength: 3 }),
    tree: tie("map"),
  }));
  const seeds = fc.array(fc.nat(1000), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(tree, seeds, fc.integer({ min: 1, max: 4 }), (tree, seeds, step) => {
      const writer = new Writer(seeds, step);
      writer.write(tree, 0, "");
      const yaml = writer.lines.join("\n");
      parse(yaml); // The test's own text must be YAML.
      const lines = linesOf(yaml);
      for (const [key, line] of writer.places) {
        assertEquals(lines.get(key)?.[0], line, `${key} in\n${yaml}`);
      }
    }),
  );
});

Deno.test("linesOf never throws", () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(..."ab:- \n\"'|>[]{}#&!") }), (text) => {
    linesOf(text);
  }));
});

Deno.test("parentOf ends for any key", () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(..."a.[0]"), minLength: 1 }), (key) => {
    const parent = parentOf(key);
    assertEquals(key.startsWith(parent) && parent.length < key.length, true);
  }));
  assertEquals(["a[0].b", "a[0]", "a", "a]"].map(parentOf), ["a[0]", "a", "", ""]);
});

type Tree = string | readonly Tree[] | { readonly [key: string]: Tree };

/** Writes block YAML, with lines between that say nothing, and notes where each key is. */
class Writer {
  readonly lines: string[] = [];
  readonly places = new Map<string, number>();
  #turn = 0;

  constructor(readonly seeds: readonly number[], readonly step: number) {}

  /** @param start what stands on the line already: a key with its colon, or dashes */
  write(tree: Tree, indent: number, path: string, start = ""): void {
    if (typeof tree === "string") return this.#line(`${start} ${this.#scalar(tree, indent)}`);
    if (!start.endsWith("-") && start !== "") this.#line(start);
    let first = start.endsWith("-") ? `${start} ` : undefined;
    for (const [key, child] of Object.entries(tree)) {
      const isList = Array.isArray(tree);
      const below = isList ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
      const begin = first ?? " ".repeat(indent);
      if (first === undefined) this.#noise(indent);
      first = undefined;
      this.places.set(below, this.lines.length + 1);
      const quote = ["", "'", '"'][this.#next() % 3]!;
      const column = begin.length;
      if (isList) this.write(child, column + 2, below, `${begin}-`);
      else {
        const under = Array.isArray(child) && this.#next() % 2 ? column : column + this.step;
        this.write(child, under, below, `${begin}${quote}${key}${quote}:`);
      }
    }
  }

  #scalar(text: string, indent: number): string {
    const forms = [text, `"${text}: x"`, `'${text}' # y: z`, `{ ${text}: 1 }`, `"a`, "|", ">-"];
    const form = forms[this.#next() % forms.length]!;
    const more = " ".repeat(indent + 1);
    if (form === '"a') return `"${text}\n${more}k: v ${text}"`;
    return form === "|" || form === ">-" ? `${form}\n${more}k: v\n\n${more}- l` : form;
  }

  #noise(indent: number): void {
    const noise = ["", "# a: b", `${" ".repeat(indent)}# - c`];
    if (this.#next() % 3 === 0) this.#line(noise[this.#next() % 3]!);
  }

  #line(text: string): void {
    this.lines.push(...text.split("\n"));
  }

  #next(): number {
    return this.seeds[this.#turn++ % this.seeds.length]!;
  }
}
