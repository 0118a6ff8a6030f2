import { assertEquals } from "@std/assert";
import { hitsIn } from "../../tools/plain_words.ts";

const found = (text: string, isCode = true) =>
  hitsIn(text, isCode).map(({ line, column, found }) => `${line}:${column} ${found}`);

Deno.test("hitsIn + finds words and phrases with their places", () => {
  assertEquals(found('throw new Error("Nobody has this key");'), ["1:18 Nobody"]);
  assertEquals(found("const a = 1;\n// The table of records, written anew"), [
    "2:8 table of records",
    "2:34 anew",
  ]);
});

Deno.test("hitsIn + finds a phrase that a comment breaks", () => {
  assertEquals(found("/**\n * The table\n * of records\n */"), ["2:8 table * of records"]);
  assertEquals(found("// the index is\n// gone"), ["1:14 is // gone"]);
});

Deno.test("hitsIn + finds replaced names in code alone, as whole words", () => {
  assertEquals(found("saidOf(x); resaidOf(x)"), ["1:1 saidOf"]);
  assertEquals(found("A Threat", false), []);
});

Deno.test("hitsIn + leaves what is quoted, and words that only contain one", () => {
  assertEquals(found('// plain-words: quoted from OpenSearch\nconst text = "nobody";'), []);
  assertEquals(found("recommended, amendment, canew"), []);
});

Deno.test("hitsIn + finds comments of sources that begin with a word that repeats a name", () => {
  const text =
    "/** What it takes. */\n/**\n * Of a client.\n */\na; // Who calls it.\n// Says what.";
  const hits = hitsIn(text, true, true).map(({ line, found }) => `${line} ${found}`);
  assertEquals(hits, ["1 What", "3 Of", "5 Who"]);
  assertEquals(hitsIn(text, true), []);
});
