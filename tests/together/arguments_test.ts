import { assertEquals } from "@std/assert";
import { readArguments } from "../../src/cli/arguments.ts";
import { PROGRAM } from "../cli/program.ts";

Deno.test("readArguments() reads options that are given more than once", async () => {
  const table: [args: string, options: object][] = [
    ["adopt --skip a.json --skip b.json", { skip: ["a.json", "b.json"], type: "search" }],
    ["adopt --skip a --skip=b --apply c", { skip: ["a", "b"], apply: ["c"], type: "sql" }],
    ["adopt --changed a", { changed: ["a"], type: "sql" }],
  ];
  for (const [text, expected] of table) {
    const { command, problem, options, operands } = await readArguments(text.split(" "), PROGRAM);
    assertEquals([command?.name, problem, operands], ["adopt", undefined, []], text);
    assertEquals(options, { config: "config", sqlPath: "migrations", ...expected }, text);
  }
});

Deno.test("readArguments() names every command that has an option", async () => {
  const { problem } = await readArguments(["--check"], PROGRAM);
  assertEquals(
    problem,
    "'migrate' has no option '--check', which belongs to 'status', 'schema', 'types' and 'scan'",
  );
});
