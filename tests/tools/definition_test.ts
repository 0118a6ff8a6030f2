import { assertEquals } from "@std/assert";
import { definitionOf, replaceTest } from "../../tools/_definition.ts";

const found: Deno.TestDefinition[] = [];
const before = Object.getOwnPropertyDescriptor(Deno, "test")!;
const fn = () => {};
replaceTest((...given) => void found.push(definitionOf(given)));
Deno.test("a", { permissions: "none" }, fn);
Deno.test.ignore("b", fn);
Deno.test.ignore({ name: "c", fn });
Deno.test.only(function d() {});
Object.defineProperty(Deno, "test", before);

Deno.test("replaceTest() + tests that are ignored, or alone, stay so", () => {
  assertEquals(found.map(({ name, ignore = false, only = false }) => [name, ignore, only]), [
    ["a", false, false],
    ["b", true, false],
    ["c", true, false],
    ["d", false, true],
  ]);
  assertEquals(found[0]?.permissions, "none");
});
