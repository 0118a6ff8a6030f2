import { assertEquals } from "@std/assert";
import { isEventStream, isXml } from "../../src/text/mod.ts";

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
