import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { etag, isListed, parseEntityTags } from "../../../src/features/conditional/entity_tag.ts";

/** The characters of a tag (RFC 9110, 8.8.3). */
const CHARACTERS = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))
  .filter((character) => /[!#-~\x80-\xff]/.test(character));

const tag = fc.tuple(
  fc.constantFrom("", "W/"),
  fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 8 }),
).map(([weak, opaque]) => `${weak}"${opaque}"`);

/** UTF-16, well-formed or not. */
const text = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) });

const separator = fc.stringMatching(/^[ \t]{0,2},[ \t,]{0,3}$/);

Deno.test("etag() + makes a strong tag of a version", () => {
  const date = new Date("2026-11-25T10:00:00.5Z");
  const expected: readonly (readonly [Parameters<typeof etag>[0], string])[] = [
    [7, '"7"'],
    [-1.5, '"-1.5"'],
    [12345678901234567890n, '"12345678901234567890"'],
    ["a-b.c~!", '"a-b.c~!"'],
    ["", '""'],
    [date, '"2026-11-25T10:00:00.500Z"'],
    ['"7"', '"7"'],
    ['W/"7"', 'W/"7"'],
    ['w/"7"', '"w/%227%22"'],
    ['a"b c%', '"a%22b%20c%25"'],
    ["2026-11-25 10:00:00+01", '"2026-11-25%2010:00:00+01"'],
    [`é${String.fromCharCode(0xd800)}\u{1f600}`, '"%C3%A9%EF%BF%BD%F0%9F%98%80"'],
  ];
  for (const [version, tag] of expected) assertEquals(etag(version), tag);
});

Deno.test("etag() + refuses what is no version", () => {
  const refused: readonly [unknown, string][] = [
    [NaN, "NaN"],
    [Infinity, "Infinity"],
    [new Date(NaN), "Invalid Date"],
    [undefined, "undefined"],
    [null, "null"],
    [{}, "[object Object]"],
    [true, "true"],
  ];
  for (const [version, found] of refused) {
    const { message } = assertThrows(() => etag(version as string), TypeError);
    assertEquals(
      message,
      `Cannot make an entity tag: expected a string, a finite number, a bigint or a valid Date, found '${found}'`,
    );
  }
});

Deno.test("etag() + every text has a tag of its own, which reads as itself alone", () => {
  fc.assert(fc.property(text, text, (a, b) => {
    const tag = etag(a);
    assertEquals(parseEntityTags(tag), [tag]);
    assertEquals(etag(tag), tag);
    fc.pre(!/^(W\/)?"/.test(a) && !/^(W\/)?"/.test(b));
    assertEquals(tag === etag(b), a.toWellFormed() === b.toWellFormed());
  }));
});

Deno.test("parseEntityTags() + reads every list of tags, however it is separated", () => {
  const parts = fc.array(fc.tuple(tag, separator), { maxLength: 6 });
  fc.assert(fc.property(parts, fc.boolean(), (parts, isClosed) => {
    const text = parts.map(([tag, separator], index) =>
      tag + (index < parts.length - 1 || isClosed ? separator : "")
    ).join("");
    assertEquals(parseEntityTags(text), parts.map(([tag]) => tag));
  }));
});

Deno.test("parseEntityTags() + any text is a list, '*', or malformed", () => {
  const texts = fc.oneof(fc.string(), fc.stringMatching(/^[W/"*, a]*$/));
  fc.assert(fc.property(texts, (text) => {
    const tags = parseEntityTags(text);
    if (tags?.[0] === "*") assertEquals([tags, text.trim()], [["*"], "*"]);
    else if (tags !== undefined) assertEquals(parseEntityTags(tags.join(", ")), tags);
    else assertEquals(/^[ \t,]*$/.test(text), false);
  }));
});

Deno.test("parseEntityTags() + takes time that is linear in the length", () => {
  for (const text of [" ".repeat(2e5) + "x", `"${"a".repeat(2e5)}`, '"",'.repeat(1e5) + "x"]) {
    const start = performance.now();
    assertEquals(parseEntityTags(text), undefined);
    assertEquals(performance.now() - start < 3000, true);
  }
});

Deno.test("isListed() + compares as the table of RFC 9110, 8.8.3.2", () => {
  const table: readonly [string, string, boolean, boolean][] = [
    ['W/"1"', 'W/"1"', false, true],
    ['W/"1"', 'W/"2"', false, false],
    ['W/"1"', '"1"', false, true],
    ['"1"', '"1"', true, true],
  ];
  for (const [a, b, strong, weak] of table) {
    assertEquals([isListed(a, [b], "strong"), isListed(a, [b], "weak")], [strong, weak]);
    assertEquals([isListed(b, [a], "strong"), isListed(b, [a], "weak")], [strong, weak]);
  }
});
