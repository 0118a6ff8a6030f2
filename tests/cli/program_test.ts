import { assertEquals } from "@std/assert";
import type { Addition, Feature } from "../../src/cli/command.ts";
import { flag } from "../../src/cli/option.ts";
import { programOf } from "../../src/cli/program.ts";

Deno.test("programOf() + puts what follows something absent last, commands and global options", async () => {
  const command = () => Promise.reject(new Error("Must not be loaded"));
  const features: readonly Feature[] = [
    { name: "first", commands: { one: command, two: command } },
    { name: "lost", commands: { lost: command }, after: "absent" },
    { name: "between", commands: { between: command }, after: "one" },
  ];
  const program = programOf(features);
  assertEquals(program.names, ["one", "between", "two", "lost", "help"]);
  const additions = ["absent", "config"].map((place) => ({
    options: { [`after-${place}`]: flag("") },
    globalAfter: place as Addition["globalAfter"],
  }));
  const { globals } = await program.syntax([], additions);
  const names = globals.map(({ name }) => name);
  assertEquals(names.at(-1), "after-absent");
  assertEquals(names[names.indexOf("config") + 1], "after-config");
});
