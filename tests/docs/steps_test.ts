/** How pages that are followed step by step are read and compared. */
import { assertEquals, assertThrows } from "@std/assert";
import { assertShown, stepsOf } from "./steps.ts";

function show(language: string, code: string, printed: string): void {
  assertShown({ place: "a.md:1", language, isIgnored: false, code }, printed);
}

Deno.test("assertShown() + text is the whole output, and '…' stands for a part of a line or for lines", () => {
  show("text", "a\nb … c\n", "a  \nb 7 ms c\n");
  show("text", "…\nb\n…\n", "a\na\nb\nc\nd\n");
  show("text", "…\nb\n…\n", "b\n");
  show("text", "a.md (…)\n", "a.md ()\n");
  for (
    const [shown = "", printed = ""] of [
      ["a\n", "a\nb\n"],
      ["a\n", "b\na\n"],
      ["a … c\n", "a b\nc\n"],
      ["a.md\n", "abmd\n"],
      ["…\nb\n…\n", "a\nbc\n"],
    ]
  ) assertThrows(() => show("text", shown, printed), Error, "a.md:1", `${shown}/${printed}`);
});

Deno.test("assertShown() + JSON is compared by its values, and '\"…\"' stands for any value", () => {
  show("json", '{ "a": [1, { "b": "…" }], "c": null }', '{"c":null,"a":[1,{"b":{}}]}');
  for (const printed of ["[1]", "[1,2,3]", "[1,3]", '{"0":1,"1":2}']) {
    assertThrows(() => show("json", "[1, 2]", printed));
  }
  assertThrows(() => show("json", '{ "a": "…" }', "{}"));
  assertThrows(() => show("json", '{ "a": 1 }', '{"a":1,"b":2}'));
});

Deno.test("assertShown() + a response has the status, the headers and the body that are shown", () => {
  const printed = "HTTP/1.1 200 OK\r\ndate: now\r\ncontent-type: text/a\r\n\r\n[1]";
  show("http", "HTTP/1.1 200 OK\nContent-Type: text/a\n\n[1]\n", printed);
  for (
    const shown of [
      "HTTP/1.1 201 Created\nContent-Type: text/a\n\n[1]\n",
      "HTTP/1.1 200 OK\nContent-Type: text/b\n\n[1]\n",
      "HTTP/1.1 200 OK\nLocation: /1\n\n[1]\n",
      "HTTP/1.1 200 OK\nContent-Type: text/a\n\n[2]\n",
    ]
  ) assertThrows(() => show("http", shown, printed), Error, "a.md:1", shown);
});

Deno.test("stepsOf() + gives the files and commands of a tab, with what the page shows of their output", () => {
  const node = stepsOf("tutorial.md", "Node");
  const deno = stepsOf("tutorial.md", "Deno");
  assertEquals(deno.length, node.length);
  const [create] = node;
  assertEquals(create?.code.split("\n")[0], "npm create irori reading-list -- --runtime node");
  assertEquals(create?.output?.runtime, "Node");
  assertEquals(deno[0]?.output, undefined);
  const controller = deno.find(({ file }) => file === "src/books/book_controller.ts");
  assertEquals(controller?.code.includes('from "@irori/irori";'), true);
  assertEquals(node.every(({ code }) => !code.includes("@irori/irori")), true);
});
