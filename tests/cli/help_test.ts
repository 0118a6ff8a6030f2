import { assertEquals, assertMatch } from "@std/assert";
import { readArguments } from "../../src/cli/arguments.ts";
import { helpOf } from "../../src/cli/help.ts";
import { COMMANDS } from "../../src/cli/program.ts";

const STYLE = { columns: 80, heading: (text: string) => text };

Deno.test("helpOf + ends with a worked example whose command lines are valid", () => {
  for (const command of [undefined, ...COMMANDS]) {
    const [, example = ""] = helpOf(command, STYLE).split("\nWorked example:\n");
    const lines = [...example.matchAll(/^ {2}\$ irori (.*)$/gm)].map(([, line = ""]) => line);
    assertEquals(lines.length > 0, true, command?.name);
    for (const line of lines) {
      const { problem } = readArguments(line.replace(/ > .*/, "").split(" "));
      assertEquals(problem, undefined, line);
    }
    assertMatch(example, command ? new RegExp(`irori ${command.name}\\b`) : /irori migrate/);
  }
});
