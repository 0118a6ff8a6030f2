import { irori, NO_VARIABLES } from "../e2e/command_line.ts";
import { assertRecorded } from "./recorded.ts";

const WRONG = [
  "migrat",
  "help nope",
  "resolve",
  "resolve a",
  "resolve a --applied --retry",
  "baseline --until",
  "jobs list x",
  "prune --json",
  "status --check --yes",
  "status --format markdown --json",
  "migrate --format github --json",
  "migrate --lock-timeout soon",
  "plan --format nope",
  "-m x",
  "--wait",
];

Deno.test("the help of each command, and the answers to wrong arguments, are as they were recorded", async () => {
  const { stdout } = await irori(["--help"], NO_VARIABLES);
  const [, commands = ""] = /\nCommands:\n([^]*?)\n\n/.exec(stdout) ?? [];
  const names = [...commands.matchAll(/^ {2}(\S+)/gm)].map(([, name = ""]) => name);
  const lines = [
    ["--version"],
    ["--help"],
    ...names.map((name) => ["help", name]),
    ...names.map((name) => [name, "--nope"]),
    ...names.map((name) => [name, "a", "b"]),
    ...WRONG.map((line) => line.split(" ")),
  ];
  const sections = await Promise.all(lines.map(async (args) => {
    const { code, stdout, stderr } = await irori(["-c", "/nowhere", ...args], NO_VARIABLES);
    return `$ irori ${args.join(" ")}  [exit code ${code}]\n${stdout}${stderr}`;
  }));
  const found = shortened(sections.map((section) => section.trimEnd()).join("\n\n")) + "\n";
  await assertRecorded("help.txt", found);
});

/** Paragraphs that stand in it already are left out but for their first line. */
function shortened(text: string): string {
  const seen = new Set<string>();
  return text.split("\n\n").map((paragraph) => {
    const [first, ...rest] = paragraph.split("\n");
    if (rest.length > 1 && seen.has(paragraph)) return `${first} …`;
    seen.add(paragraph);
    return paragraph;
  }).join("\n\n");
}
