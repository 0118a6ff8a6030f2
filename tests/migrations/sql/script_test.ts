import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { InvalidFilesError } from "../../../src/migrations/runner/mod.ts";
import { readScript } from "../../../src/migrations/sql/files/script.ts";
import { loadedFile } from "./support.ts";

const scriptOf = async (text: string, placeholders: Record<string, string> = {}) => {
  return readScript(await loadedFile("a.sql", text), placeholders);
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

const DOLLAR_QUOTED = [
  ["($$${n}$$)", "($$v$$)"],
  ["$t$${n}$t$", "$t$v$t$"],
  ["$$ a $$${n}", "$$ a $$v"],
  ["$$$${n}$$", "$$${n}$$"],
  ["$t$$${n}$t$", "$t$${n}$t$"],
  ["$$ $${n} $$", "$$ ${n} $$"],
  ["a$$${n}", "a$${n}"],
  ["$1$${n}", "$1${n}"],
] as const;

for (const [source, filled] of DOLLAR_QUOTED) {
  Deno.test(`readScript reads ${source} as PostgreSQL does`, async () => {
    const { text, original } = readScript(await loadedFile("a.sql", source), { n: "v" }, true);
    assertEquals([text, original(0, text.length)], [filled, source]);
    if (source.startsWith("($")) {
      assertEquals((await scriptOf(source, { n: "v" })).text, "($${n}$$)");
    }
  });
}

for (const end of ["\n", "\r", "\r\n"]) {
  Deno.test(`readScript counts lines that end with ${JSON.stringify(end)}`, async () => {
    const { text, locate } = await scriptOf(["a", "", "b \u2028 c", "d"].join(end));
    assertEquals(locate(text.indexOf("c")), { line: 3, column: 5, source: "b \u2028 c" });
    assertEquals(locate(text.length), { line: 4, column: 2, source: "d" });
  });
}

const UNTOUCHED = [
  "SELECT '${nope} ${nope:default} ${ a } ${} ${a'",
  // A body in PostgreSQL's dollar quotes that is JSON.
  '$${"a":1}$$',
  "DO $${nope}$$",
];

for (const text of UNTOUCHED) {
  Deno.test(`readScript leaves what is no declared placeholder alone: ${text}`, async () => {
    assertEquals((await scriptOf(text, { a: "1", b: "2" })).text, text);
  });
}

Deno.test("readScript gives the text of a placeholder that is escaped", async () => {
  const source = "A $${a} $${b} ${a}\nC";
  const { text, locate, original } = await scriptOf(source, { a: "1" });
  assertEquals(text, "A ${a} $${b} 1\nC");
  assertEquals(locate(text.indexOf("C")).line, 2);
  assertEquals(original(0, text.length), source);
  assertEquals(original(2, 6), "$${a}");
});

Deno.test("readScript refuses what is not UTF-8 where it stops being that", () => {
  const files = [
    bytesOf("SELECT '\ufffd😀';\n  '", [0xe9], "';"),
    bytesOf([0xef, 0xbb, 0xbf], "SELECT 1;\n  x", [0xff, 0xfe]),
  ];
  for (const file of files) {
    const { problems: [problem] } = assertThrows(() => readScript(file, {}), InvalidFilesError);
    assertEquals([problem?.line, problem?.column], [2, 4]);
  }
});

Deno.test("readScript refuses a NUL, at which databases stop reading", async () => {
  const { problems: [problem] } = await assertRejects(
    () => scriptOf("SELECT 1;\n\0DROP TABLE a"),
    InvalidFilesError,
  );
  assertEquals([problem?.line, problem?.column], [2, 1]);
});
