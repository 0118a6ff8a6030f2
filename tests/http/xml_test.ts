import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { toXml, XmlError } from "../../src/http/mod.ts";

const DECLARATION = `<?xml version="1.0" encoding="UTF-8"?>\n`;

const SAME = { name: "one" };

const WRITTEN: readonly (readonly [string, unknown, string])[] = [
  ["object", { id: 1, name: "Ada" }, "<response><id>1</id><name>Ada</name></response>"],
  ["no key", {}, "<response/>"],
  ["array at the root", [1, "a"], "<response><item>1</item><item>a</item></response>"],
  ["no element", [], "<response/>"],
  ["array below a key", { tag: ["a", "b"] }, "<response><tag>a</tag><tag>b</tag></response>"],
  ["empty array below a key", { tag: [] }, "<response/>"],
  [
    "array in an array",
    { row: [[1, 2], [3]] },
    "<response><row><item>1</item><item>2</item></row><row><item>3</item></row></response>",
  ],
  ["objects in an array", [{ a: 1 }], "<response><item><a>1</a></item></response>"],
  ["nested object", { a: { b: { c: 1 } } }, "<response><a><b><c>1</c></b></a></response>"],
  ["null", { a: null }, "<response><a/></response>"],
  ["null at the root", null, "<response/>"],
  ["undefined", { a: undefined, b: 1 }, "<response><b>1</b></response>"],
  ["null and undefined in an array", { a: [null, undefined] }, "<response><a/><a/></response>"],
  ["empty text", { a: "" }, "<response><a/></response>"],
  [
    "false, zero, bigint",
    { a: false, b: 0, c: 10n }, //
    "<response><a>false</a><b>0</b><c>10</c></response>",
  ],
  ["markup", { a: `<b>&"']]>` }, `<response><a>&lt;b&gt;&amp;"']]&gt;</a></response>`],
  ["white space", { a: " \t\n\r" }, "<response><a> \t\n&#13;</a></response>"],
  ["beyond the basic plane", { a: "日😀" }, "<response><a>日😀</a></response>"],
  [
    "names beyond ASCII",
    { größe: 1, "日-1.x": 2 }, //
    "<response><größe>1</größe><日-1.x>2</日-1.x></response>",
  ],
  ["date", { at: new Date(0) }, "<response><at>1970-01-01T00:00:00.000Z</at></response>"],
  ["date at the root", new Date(0), "<response>1970-01-01T00:00:00.000Z</response>"],
  [
    "dates in an array",
    { at: [new Date(0)] }, //
    "<response><at>1970-01-01T00:00:00.000Z</at></response>",
  ],
  [
    "toJSON that gives a list",
    { a: { toJSON: () => [1, 2] } }, //
    "<response><a>1</a><a>2</a></response>",
  ],
  ["toJSON that gives nothing", { a: { toJSON: () => undefined } }, "<response/>"],
  [
    "the same object twice",
    [SAME, SAME], //
    "<response><item><name>one</name></item><item><name>one</name></item></response>",
  ],
];

Deno.test("toXml() + writes plain data", async (t) => {
  for (const [name, value, xml] of WRITTEN) {
    await t.step(name, () => {
      assertEquals(toXml(value), DECLARATION + xml);
      assertEquals(XMLValidator.validate(toXml(value)), true);
    });
  }
});

const NO_NAMES = ["", "1a", "-a", ".a", "a b", "a>", "a/", "<a", "a:b", "a\n", "×", "a\u037e", "&"];

Deno.test("toXml() + refuses keys that are no names", async (t) => {
  for (const name of NO_NAMES) {
    await t.step(JSON.stringify(name), () => {
      const error = assertThrows(() => toXml({ user: { [name]: 1 } }), XmlError);
      assertEquals(
        error.message,
        `Cannot write '/response/user/${name}' as XML: ${
          JSON.stringify(name)
        } is not a valid element name`,
      );
    });
  }
});

const NO_CHARACTERS = [
  "\0",
  "\x08",
  "\x0b",
  "\x0c",
  "\x1f",
  "\ufffe",
  "\uffff",
  "\ud800",
  "\udc00a",
];

Deno.test("toXml() + refuses characters that XML does not allow", async (t) => {
  for (const character of NO_CHARACTERS) {
    await t.step(JSON.stringify(character), () => {
      const error = assertThrows(() => toXml({ list: ["a", `b${character}`] }), XmlError);
      assertEquals(
        error.message,
        "Cannot write '/response/list/1' as XML: it has a character that XML does not allow",
      );
    });
  }
});

Deno.test("toXml() + refuses functions and symbols", () => {
  for (const [value, kind] of [[() => {}, "function"], [Symbol("a"), "symbol"]] as const) {
    const error = assertThrows(() => toXml({ a: value }), XmlError);
    assertEquals(error.message, `Cannot write '/response/a' as XML: it is a ${kind}`);
    assertThrows(() => toXml(value), XmlError);
  }
});

Deno.test("toXml() + refuses what contains itself", async (t) => {
  const object: Record<string, unknown> = {};
  object.self = object;
  const list: unknown[] = [];
  list.push(list);
  const through: unknown[] = [];
  through.push({ item: through });
  const parent: Record<string, unknown> = { children: [] };
  (parent.children as unknown[]).push({ parent });
  for (const [name, value] of Object.entries({ object, list, through, parent })) {
    await t.step(name, () => {
      assertThrows(() => toXml(value), XmlError, "it contains itself");
      assertThrows(() => toXml({ below: value }), XmlError, "it contains itself");
    });
  }
});

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,7}$/)
  // The parser's own: prototypes, and what it renames.
  .filter((name) => !(name in {}) && name !== "__proto__" && !/^xml/i.test(name));
const telling = fc.constantFrom(...`&<>"'\r\n\t ];#13xlamptcopyé日😀`);
const leaf = fc.oneof(
  fc.string({ unit: fc.oneof(telling, fc.string({ unit: "binary", maxLength: 1 })) }).filter((
    text,
  ) => isXml(text) && text.trim() === text),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ depthSize: "small" }, leaf, tie("object")),
  object: fc.dictionary(
    name,
    fc.oneof(tie("tree"), fc.array(tie("tree"), { minLength: 2, maxLength: 4 })),
    {
      minKeys: 1,
      maxKeys: 4,
    },
  ),
}));

Deno.test("toXml() + writes what an XML parser reads back, with texts as leaves", () => {
  const parser = new XMLParser({
    ignoreDeclaration: true,
    parseTagValue: false,
    trimValues: false,
    processEntities: { enabled: true, maxTotalExpansions: Infinity, maxExpandedLength: Infinity },
    // Numeric references are among these.
    htmlEntities: true,
  });
  fc.assert(fc.property(tree, (value) => {
    const xml = toXml(value);
    assertEquals(XMLValidator.validate(xml), true);
    assertEquals(parser.parse(xml), { response: texts(value) });
  }));
});

Deno.test("toXml() + gives well-formed XML or an error, for any value", () => {
  let written = 0;
  fc.assert(fc.property(fc.anything({ withDate: true, withNullPrototype: true }), (value) => {
    try {
      assertEquals(XMLValidator.validate(toXml(value)), true);
      written++;
    } catch (error) {
      assert(error instanceof XmlError, String(error));
    }
  }));
  assert(written > 10, `Only ${written} values were written`);
});

/** `Char` of XML 1.0, in other words than the writer's. */
function isXml(text: string): boolean {
  return [...text].every((character) => {
    const code = character.codePointAt(0)!;
    return code === 0x9 || code === 0xa || code === 0xd || (code >= 0x20 && code <= 0xd7ff) ||
      (code >= 0xe000 && code <= 0xfffd) || code >= 0x10000;
  });
}

/** The document as a parser reads it: every leaf is a text. */
function texts(value: unknown): unknown {
  if (value === null) return "";
  if (Array.isArray(value)) return value.map(texts);
  if (typeof value !== "object") return String(value);
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, texts(child)]));
}
