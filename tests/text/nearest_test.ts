import { assertEquals } from "@std/assert";
import { nearest } from "../../src/text/mod.ts";

Deno.test("nearest allows two changes, and one for names of up to five characters", () => {
  const table: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["dneo", ["deno", "node", "bun"], ["deno"]],
    ["Clocks", ["clock"], ["clock"]],
    ["prot", ["port", "host"], ["port"]],
    ["use", ["url"], []],
    ["dsn", ["ssl"], []],
    ["paht", ["hosts"], []],
    ["serach", ["search"], ["search"]],
    ["xseaarch", ["search"], ["search"]],
    ["xxsearrch", ["search"], []],
    ["idle_timeout", ["lock_timeout"], []],
    ["data", ["datasource"], []],
  ];
  for (const [wanted, names, found] of table) assertEquals(nearest(wanted, names), found, wanted);
});

Deno.test("nearest returns the nearest three first", () => {
  const names = ["names12", "names1", "names", "namesxx", "names2"];
  assertEquals(nearest("names", names), ["names", "names1", "names2"]);
});
