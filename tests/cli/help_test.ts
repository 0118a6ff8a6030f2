import { assertEquals, assertMatch } from "@std/assert";
import { readArguments } from "../../src/cli/arguments.ts";
import { helpOf } from "../../src/cli/help.ts";
import { PROGRAM, SYNTAX } from "./program.ts";

const STYLE = { columns: 80, heading: (text: string) => text };

Deno.test("helpOf + ends with a worked example whose command lines are valid", async () => {
  for (const name of [undefined, ...PROGRAM.names]) {
    const [, example = ""] = helpOf(name, SYNTAX, STYLE).split("\nWorked example:\n");
    const lines = [...example.matchAll(/^ {2}\$ irori (.*)$/gm)].map(([, line = ""]) => line);
    assertEquals(lines.length > 0, true, name);
    for (const line of lines) {
      const { problem } = await readArguments(
        line.replace(/ > .*/, "").split(" "),
        PROGRAM,
      );
      assertEquals(problem, undefined, line);
    }
    assertMatch(example, name ? new RegExp(`irori ${name}\\b`) : /irori migrate/);
  }
});
