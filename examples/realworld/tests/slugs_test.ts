import assert from "node:assert/strict";
import { test } from "node:test";
import { slugOf } from "../src/articles/slugs.ts";

test("a slug has the words of the title, and an end of its own", () => {
  const titles = {
    "How to train your dragon?": "how-to-train-your-dragon",
    "  C++ & Rust — 2.0 ": "c-rust-2-0",
    "Größe": "größe",
    "龍の育て方": "龍の育て方",
    "feed": "feed",
    "../../etc": "etc",
    [`${"long ".repeat(50)}`]: "long-".repeat(16).slice(0, -1),
  };
  for (const [title, words] of Object.entries(titles)) {
    const [, found, end] = /^(.*)-([\da-f]{8})$/.exec(slugOf(title)) ?? [];
    assert.deepEqual([found, end?.length], [words, 8], title);
  }
  assert.match(slugOf("?!"), /^[\da-f]{8}$/);
  assert.notEqual(slugOf("Twice"), slugOf("Twice"));
});
