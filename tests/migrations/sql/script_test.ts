import { assertEquals, assertThrows } from "@std/assert";
import { InvalidFileError } from "../../../src/migrations/runner/mod.ts";
import { readScript } from "../../../src/migrations/sql/script.ts";
import { filesOf } from "./support.ts";

const scriptOf = async (text: string, placeholders: Record<string, string> = {}) => {
  const [file] = await filesOf({ "a.sql": text });
  if (file === undefined) throw new Error("There is no file");
  return readScript(file, placeholders);
};

const bytesOf = (...parts: (string | number[])[]) => ({
  path: "a.sql",
  location: "/a.sql",
  hash: "",
  bytes: new Uint8Array(
    parts.flatMap((part) => typeof part === "string" ? [...new TextEncoder().encode(part)] : part),
  ),
});

Deno.test("readScript takes a byte order mark off", async () => {
  const { text, locate } = await scriptOf("\ufeffSELECT 1");
  assertEquals(text, "SELECT 1");
  assertEquals(locate(7), { line: 1, column: 8, source: "SELECT 1" });
});

Deno.test("readScript counts columns in characters and leaves line ends out", async () => {
  const { locate } = await scriptOf("SELECT 1;\r\n'😀é' x\r\nend");
  assertEquals(locate(16), { line: 2, column: 5, source: "'😀é' x" });
  assertEquals(locate(9999), { line: 3, column: 4, source: "end" });
});

Deno.test("readScript leaves placeholders alone where there are no values", async () => {
  assertEquals((await scriptOf("SELECT '${a}'")).text, "SELECT '${a}'");
});

Deno.test("readScript fills values in and finds places in the file again", async () => {
  const source = "A ${x} B\n${long_name}C ${x}";
  const { text, locate, original } = await scriptOf(source, { x: "12345678", long_name: "" });
  assertEquals(text, "A 12345678 B\nC 12345678");
  const place = (part: string) => {
    const { line, column } = locate(text.indexOf(part));
    return [line, column];
  };
  assertEquals(place("B"), [1, 8]);
  assertEquals(place("345"), [1, 3]);
  assertEquals(place("C"), [2, 13]);
  assertEquals(original(0, text.length), source);
  assertEquals(original(2, 10), "${x}");
  assertEquals(original(text.indexOf("C"), text.length), "C ${x}");
});

Deno.test("readScript does not fill in what a value looks like", async () => {
  const { text } = await scriptOf("${a}${b}", { a: "${b}", b: "$&" });
  assertEquals(text, "${b}$&");
});

Deno.test("readScript names a placeholder without a value", async () => {
  const { problem } = await scriptOf("SELECT\n  ${nope}", { a: "1", b: "2" })
    .catch((error) => error);
  assertEquals(problem, {
    severity: "error",
    path: "a.sql",
    message: "The placeholder 'nope' has no value: 'migrations.placeholders' has 'a', 'b'",
    line: 2,
    column: 3,
    source: "  ${nope}",
  });
});

Deno.test("readScript refuses what is no UTF-8 where it stops being that", () => {
  const files = [
    bytesOf("SELECT '\ufffd😀';\n  '", [0xe9], "';"),
    bytesOf([0xef, 0xbb, 0xbf], "SELECT 1;\n  x", [0xff, 0xfe]),
  ];
  for (const file of files) {
    const { problem } = assertThrows(() => readScript(file, {}), InvalidFileError);
    assertEquals([problem.line, problem.column], [2, 4]);
  }
});

Deno.test("readScript refuses a NUL, at which databases stop reading", async () => {
  const error = await scriptOf("SELECT 1;\n\0DROP TABLE a").catch((error) => error);
  assertEquals([error.problem.line, error.problem.column], [2, 1]);
});
