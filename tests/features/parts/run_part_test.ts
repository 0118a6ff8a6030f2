import { assertEquals } from "@std/assert";
import { Notices } from "../../../src/features/parts/run_part.ts";

function toldOf(total: number): readonly string[] {
  const told: string[] = [];
  const notices = new Notices((event) => {
    if (event.type === "notice") told.push(`${event.connection}/${event.file}: ${event.message}`);
  });
  for (const part of ["eu1", "us1", "us1", "us2"]) {
    const connection = `logs[${part}]`;
    notices.tellOnce({ type: "notice", connection, file: "a.json", message: "fields are lost" });
  }
  notices.tellOthers(total);
  return told;
}

Deno.test("a notice that all parts have appears once", () => {
  assertEquals(toldOf(3), ["logs[eu1]/a.json: fields are lost"]);
});

Deno.test("a notice that only some parts have names each of them", () => {
  assertEquals(toldOf(4), [
    "logs[eu1]/a.json: fields are lost",
    "logs[us1 and 1 more]/a.json: fields are lost",
  ]);
});
