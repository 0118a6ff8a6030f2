import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { elementsOf, essence, isEventStream, isJson, isXml } from "../../src/text/mod.ts";

Deno.test("isEventStream() + knows the type with parameters and in any case", () => {
  for (const type of ["text/event-stream", "Text/Event-Stream; charset=utf-8"]) {
    assertEquals(isEventStream(type), true, type);
  }
  for (
    const type of [null, "", "text/event-streams", "text/event-stream-x;a", "x/text/event-stream"]
  ) {
    assertEquals(isEventStream(type), false, String(type));
  }
});

Deno.test("isXml() + knows XML and what is built on it", () => {
  for (
    const type of ["application/xml", "text/xml;charset=UTF-8", "image/svg+xml", "a/b+XML ; c"]
  ) {
    assertEquals(isXml(type), true, type);
  }
  for (const type of ["", "xml", "application/xmls", "application/json;a=b+xml", "text/x-xml"]) {
    assertEquals(isXml(type), false, type);
  }
});

Deno.test("essence() + leaves out parameters, blanks and upper case", () => {
  assertEquals(essence(" Text/Plain ; charset=utf-8"), "text/plain");
  assertEquals(essence(""), "");
});

Deno.test("isJson() + tells JSON by its type or suffix, whatever its letters and parameters", () => {
  const json = [
    "application/json",
    "Application/JSON; charset=utf-8",
    " application/problem+json ;a=b",
    "application/vnd.api.v1+json",
  ];
  for (const type of json) assertEquals(isJson(type), true, type);
  const others = [
    "application/json-seq",
    "application/problem+json-seq",
    "application/jsonl",
    "application/x+json+xml",
    "text/plain; of=application/json",
    "application/json/x",
    "json",
    "",
  ];
  for (const type of others) assertEquals(isJson(type), false, type);
});

Deno.test("elementsOf() + separates by commas, whatever blanks and empty elements are there", () => {
  const blank = fc.constantFrom("", " ", "\t", " \t ");
  const empty = fc.constantFrom("", ",", " ,", ", ,");
  const element = fc.tuple(fc.stringMatching(/^[!-+\--~]{1,5}$/), blank, blank, empty);
  fc.assert(fc.property(fc.array(element, { maxLength: 4 }), empty, (elements, start) => {
    const texts = elements.map(([text, before, after, empty]) => before + text + after + empty);
    assertEquals(elementsOf(start + texts.join(",")), elements.map(([text]) => text));
  }));
  assertEquals([elementsOf(null), elementsOf(undefined), elementsOf("")], [[], [], []]);
});
