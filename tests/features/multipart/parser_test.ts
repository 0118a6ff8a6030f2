import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { BindingError } from "../../../mod.ts";
import { MultipartParser } from "../../../src/features/multipart/parser.ts";
import { bytesOf, chunked, encoded, type Sent } from "./helpers.ts";

const BOUNDARY = "b";

Deno.test("MultipartParser + gives what was sent, however its bytes are cut", () => {
  // Made of what a boundary is made of, so that most of it looks like one.
  const body = fc.array(
    fc.constantFrom("\r", "\n", "-", "--", BOUNDARY, "\r\n", "\r\n--", "\r\n-", "x", "é"),
    { maxLength: 30 },
  ).map((pieces) => pieces.join("").replaceAll(`\r\n--${BOUNDARY}`, ""))
    .filter((text) => !`\r\n${text}\r\n`.includes(`\r\n--${BOUNDARY}`));
  const part = fc.record({
    name: fc.string({ unit: fc.constantFrom("a", '"', "\\", ";", "=", "é", " ", "\n", "%") }),
    filename: fc.option(fc.constantFrom("a.txt", "x;y.txt", "a b"), { nil: undefined }),
    body,
  });
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat({ max: 400 }), { maxLength: 12 }),
      fc.constantFrom(
        "",
        "\r\n",
        "a line\r\n",
        "--\r\r\n",
        "\r\n--a--b\r\n",
        "x".repeat(8190) + "\r\n",
      ),
      fc.constantFrom("", "\r\n", "\r\nwhat follows\r\n--b"),
      (parts, cuts, preamble, epilogue) => {
        const bytes = bytesOf([
          ...new TextEncoder().encode(preamble),
          ...encoded(parts, BOUNDARY, epilogue),
        ]);
        for (const chunks of [chunked(bytes, cuts), [...bytes].map((byte) => bytesOf([byte]))]) {
          assertEquals(parsed(chunks), parts);
        }
      },
    ),
    { numRuns: 500 },
  );
});

Deno.test("MultipartParser + reads or refuses any bytes alike, however they are cut", () => {
  const text = fc.array(
    fc.constantFrom(
      ...["\r\n--b", "--b", "--", "\r\n", "\r", "\n", "\0", "x", ";", "\\", '"', ":", "\xff"],
      ...["Content-Disposition: form-data; name=a", 'filename="', "Content-Type: a/b"],
    ),
    { maxLength: 20 },
  ).map((pieces) => bytesOf([...pieces.join("")].map((char) => char.charCodeAt(0))));
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 200 }), { maxLength: 8 }), (bytes, cuts) => {
      assertEquals(outcome(chunked(bytes, cuts)), outcome([bytes]));
    }),
    { numRuns: 2000 },
  );
});

const DISPOSITION = "Content-Disposition: form-data; name=a";
const NAMED = `${DISPOSITION}\r\n\r\n`;

for (
  const [what, body] of Object.entries({
    "is empty": "",
    "has no boundary": "abc",
    "has another boundary": `--a\r\n${NAMED}x\r\n--a--`,
    "has its boundary within a line": `x--b\r\n${NAMED}x\r\n--c--`,
    "has a preamble of too many bytes": `${"x".repeat(8193)}\r\n--b\r\n${NAMED}x\r\n--b--`,
    "has a preamble of too many lines": `${"x\r\n".repeat(4000)}\r\n--b\r\n${NAMED}x\r\n--b--`,
    "has a boundary that goes on": `--b\r\n${NAMED}x\r\n--bc\r\n${NAMED}x\r\n--b--`,
    "has line feeds for line breaks": `--b\n${DISPOSITION}\n\nx\n--b--`,
    "has a line feed in a header": `--b\r\n${DISPOSITION}\n\r\nx\r\n--b--`,
    "has a part without a header": "--b\r\n\r\nx\r\n--b--",
    "has a boundary within a header": `--b\r\n${DISPOSITION}\r\n--b\r\n${NAMED}x\r\n--b--`,
    "has a part without a name": "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--",
    "has a part without a name in it": "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--",
    "has an attachment": "--b\r\nContent-Disposition: attachment; name=a\r\n\r\nx\r\n--b--",
    "has two names": `--b\r\n${DISPOSITION}; name=b\r\n\r\nx\r\n--b--`,
    "has two dispositions": `--b\r\n${DISPOSITION}\r\n${NAMED}x\r\n--b--`,
    "has two types": `--b\r\nContent-Type: a/b\r\nContent-Type: c/d\r\n${NAMED}x\r\n--b--`,
    "has an open quote": '--b\r\nContent-Disposition: form-data; name="a\r\n\r\nx\r\n--b--',
    "has a folded line": `--b\r\n${DISPOSITION};\r\n filename=x\r\n\r\nx\r\n--b--`,
    "has a control character in a header": `--b\r\nX: \0\r\n${NAMED}x\r\n--b--`,
    "has a blank in a name of a header": `--b\r\nX : y\r\n${NAMED}x\r\n--b--`,
    "has a header of too many bytes": `--b\r\nX: ${"y".repeat(8200)}\r\n${NAMED}x\r\n--b--`,
    "has a header of too many lines": `--b\r\n${"X: y\r\n".repeat(2000)}${NAMED}x\r\n--b--`,
    "has an encoded part": `--b\r\nContent-Transfer-Encoding: base64\r\n${NAMED}eA==\r\n--b--`,
    "breaks off in a header": `--b\r\n${DISPOSITION}`,
    "breaks off in a body": `--b\r\n${NAMED}x`,
    "breaks off after a part": `--b\r\n${NAMED}x\r\n--b`,
    "breaks off in the last boundary": `--b\r\n${NAMED}x\r\n--b-`,
  })
) {
  Deno.test(`MultipartParser + refuses a body that ${what}`, () => {
    const bytes = new TextEncoder().encode(body);
    for (const chunks of [[bytes], [...bytes].map((byte) => bytesOf([byte]))]) {
      const { status } = assertThrows(() => parsed(chunks), BindingError);
      assertEquals(status.value, 400);
    }
  });
}

Deno.test("MultipartParser + refuses a header that is not UTF-8", () => {
  const head = '--b\r\nContent-Disposition: form-data; name="\xff"\r\n\r\nx\r\n--b--';
  const bytes = bytesOf([...head].map((char) => char.charCodeAt(0)));
  assertThrows(() => parsed([bytes]), BindingError, "UTF-8");
});

Deno.test("MultipartParser + does not believe a part's length", () => {
  const body = `--b\r\nContent-Length: 9\r\n${NAMED}x\r\n--b\r\n${DISPOSITION}\r\n\r\ny\r\n--b--`;
  const bodies = parsed([new TextEncoder().encode(body)]).map(({ body }) => body);
  assertEquals(bodies, ["x", "y"]);
});

Deno.test("MultipartParser + has a form without parts", () => {
  assertEquals(parsed([new TextEncoder().encode("--b--\r\n")]), []);
});

for (
  const [sent, name] of [
    ["C:\\dir\\a.txt", "a.txt"],
    ["../../a.txt", "a.txt"],
    ["..", ""],
    ["", ""],
    ["a%0Ab%22.txt", 'ab".txt'],
    ['a\\"b.txt', 'a"b.txt'],
    ["100%25.txt", "100%25.txt"],
  ] as const
) {
  Deno.test(`MultipartParser + takes a file named '${sent}' for '${name}'`, () => {
    const head = `--b\r\n${DISPOSITION}; filename="${sent}"; filename*=UTF-8''x\r\n\r\nx\r\n--b--`;
    assertEquals(parsed([new TextEncoder().encode(head)])[0]?.filename, name);
  });
}

for (
  const [what, body] of Object.entries({
    "parts without a body": `${`--b\r\n${NAMED}\r\n`.repeat(20_000)}--b--`,
    "what looks like a boundary": `--b\r\n${NAMED}${"\r\n--".repeat(250_000)}\r\n--b--`,
    "carriage returns": `--b\r\n${NAMED}${"\r".repeat(1_000_000)}\r\n--b--`,
    "lines of a header": `${`--b\r\n${"X:\r\n".repeat(1900)}${NAMED}\r\n`.repeat(100)}--b--`,
    "a preamble like a boundary": `${"\r\n--".repeat(2000)}\r\n--b--`,
    "hyphens after the end": `--b--${"\r\n--b--".repeat(140_000)}`,
  })
) {
  Deno.test(`MultipartParser + takes a time that grows with the bytes for ${what}`, () => {
    const bytes = new TextEncoder().encode(body);
    const chunks = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
    const parser = new MultipartParser(BOUNDARY);
    const start = performance.now();
    for (const chunk of [...chunks, bytes.subarray(0, 0)]) {
      parser.feed(chunk);
      while (parser.next() !== undefined);
    }
    parser.end();
    // A quadratic one takes minutes.
    assertEquals(performance.now() - start < 5000, true);
  });
}

/** The parts that a parser reads from these chunks. */
function parsed(chunks: readonly Uint8Array<ArrayBuffer>[]): Sent[] {
  const parser = new MultipartParser(BOUNDARY);
  const parts: { head: Sent; bytes: number[] }[] = [];
  let isOpen = false;
  for (const chunk of chunks) {
    parser.feed(chunk);
    for (let piece = parser.next(); piece !== undefined; piece = parser.next()) {
      if (piece.kind === "head") {
        assertEquals(isOpen, false);
        const { name, filename } = piece.head;
        parts.push({ head: { name, filename, body: "" }, bytes: [] });
      }
      if (piece.kind === "bytes") {
        assertEquals(isOpen && piece.bytes.length > 0, true);
        for (const byte of piece.bytes) parts.at(-1)?.bytes.push(byte);
      }
      isOpen = piece.kind !== "end";
    }
  }
  parser.end();
  assertEquals(isOpen, false);
  return parts.map(({ head, bytes }) => ({
    ...head,
    body: new TextDecoder().decode(bytesOf(bytes)),
  }));
}

function outcome(chunks: readonly Uint8Array<ArrayBuffer>[]): unknown {
  try {
    return parsed(chunks);
  } catch (error) {
    if (!(error instanceof BindingError)) throw error;
    return error.message;
  }
}
