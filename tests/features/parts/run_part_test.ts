import { assertEquals } from "@std/assert";
import { Notices } from "../../../src/features/parts/run_part.ts";

function toldBy(...parts: readonly string[]): readonly string[] {
  const told: string[] = [];
  const notices = new Notices((event) => {
    if (event.type === "notice") told.push(`${event.connection}/${event.file}: ${event.message}`);
  });
  for (const part of parts) {
    const connection = `logs[${part}]`;
    notices.tellOnce({ type: "notice", connection, file: "a.json", message: "fields are lost" });
  }
  notices.tellOthers();
  return told;
}

Deno.test("a notice that one part has appears once", () => {
  assertEquals(toldBy("eu1", "eu1"), ["logs[eu1]/a.json: fields are lost"]);
});

Deno.test("a notice that several parts, or all of them, have names each of them", () => {
  assertEquals(toldBy("eu1", "us1", "us1", "us2"), [
    "logs[eu1]/a.json: fields are lost",
    "logs[us1 and 1 more]/a.json: fields are lost",
  ]);
});
