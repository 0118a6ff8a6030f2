/** Checks the blocks of code in pages that no doc test runs. */
import { assertEquals } from "@std/assert";
import { parse } from "@std/yaml";
import { parse as parseJsonc, type ParseError, printParseErrorCode } from "jsonc-parser";
import { readArguments } from "../../src/cli/arguments.ts";
import { PROGRAM } from "../cli/program.ts";
import { variantsOf } from "../../docs/.vitepress/runtimes.ts";
import { type Block, blocksOf } from "../../tools/docs/blocks.ts";
import { blocksOfPages } from "./pages.ts";
import { callsOf } from "./calls.ts";

const BLOCKS = await blocksOfPages();

Deno.test("blocks of pages + JSON, JSONC and YAML can be read", () => {
  const wrong = BLOCKS.flatMap(({ place, language, code }) => {
    const problem = READERS[language]?.(code);
    return problem === undefined ? [] : [`${place}: ${problem}`];
  });
  assertEquals(wrong, []);
});

Deno.test("blocks of pages + commands and options of the command line are known to it", async () => {
  const shell = BLOCKS.filter(({ language }) => language === "sh");
  const calls = (await Promise.all(shell.map(callsIn))).flat();
  assertEquals(calls.length > 50, true);
  assertEquals(calls.filter(({ problem }) => problem !== undefined), []);
});

Deno.test("blocks of pages + variants for Node and Bun use no Deno API", () => {
  const variants = BLOCKS.flatMap(({ place, language, code }) =>
    variantsOf(language, code).map((variant) => ({ place, ...variant }))
  );
  assertEquals(variants.length > 50, true);
  const wrong = variants.filter(({ runtime, code }) =>
    runtime !== "Deno" && /@std\/|\bDeno\.|jsr:|@irori\//.test(code)
  );
  assertEquals(wrong, []);
});

Deno.test("blocks of pages + no fence uses another name for a checked language", () => {
  const others = ["typescript", "mts", "bash", "shell", "zsh", "yml", "json5"];
  const found = BLOCKS.filter(({ language }) => others.includes(language));
  assertEquals(found.map(({ place, language }) => `${place} ${language}`), []);
});

Deno.test("blocksOf() + gives the place, the language and the code, in lists too", () => {
  const page = "# A\n\n```ts ignore\na;\n```\n\n- b\n\n  ```sh\n  irori\n  ```\n";
  assertEquals(blocksOf(page, "a.md"), [
    { place: "a.md:4", language: "ts", isIgnored: true, code: "a;\n" },
    { place: "a.md:10", language: "sh", isIgnored: false, code: "irori\n" },
  ]);
  assertEquals(blocksOf("```text Node\na\n```\n", "a.md"), [
    { place: "a.md:2", language: "text", isIgnored: false, runtime: "Node", code: "a\n" },
  ]);
  const inBlock = "````md\n```ts\na;\n```\n````\n";
  assertEquals(blocksOf(inBlock, "a.md"), [
    { place: "a.md:2", language: "md", isIgnored: false, code: "```ts\na;\n```\n" },
  ]);
});

Deno.test("callsOf() + finds the command line in all its spellings, and stops at comments", () => {
  const shell = `
irori plan  # what 'irori drift' says
npx -p irori -p undici irori -m search > a.json
A=b NODE_OPTIONS="--import x" npx irori status && deno run -A jsr:@irori/irori/cli -c "my config" \\
  --sqlPath migrations
npm install irori hono
echo irori plan | irori
`;
  assertEquals(callsOf(shell), [
    ["plan"],
    ["-m", "search"],
    ["status"],
    ["-c", "my config", "--sqlPath", "migrations"],
    [],
  ]);
});

Deno.test("callsOf() + readArguments() + unknown commands and options are found", async () => {
  const problems = async (code: string) =>
    (await callsIn({ place: "", language: "sh", isIgnored: false, code }))
      .map(({ problem }) => problem);
  assertEquals(await problems("irori plan --dry-run\nirori plann\nirori plan\n"), [
    "'plan' has no option '--dry-run', which belongs to 'adopt', 'convert', 'pull', 'jobs' and 'build'",
    "unknown command 'plann'\n(Did you mean plan?)",
    undefined,
  ]);
});

/** A page, or those of a folder. */
/** For each language, the function that returns the problem of a block. */
const READERS: Readonly<Record<string, (code: string) => string | undefined>> = {
  json: (code) => problemOf(() => JSON.parse(code)),
  jsonc(code) {
    const errors: ParseError[] = [];
    parseJsonc(code, errors, { allowTrailingComma: true });
    return errors[0] && printParseErrorCode(errors[0].error);
  },
  yaml: (code) => problemOf(() => code.split(/^---$/m).map((document) => parse(document))),
};

function problemOf(read: () => unknown): string | undefined {
  try {
    read();
  } catch (error) {
    return (error as Error).message;
  }
}

async function callsIn(
  { place, code }: Block,
): Promise<readonly { place: string; call: string; problem?: string }[]> {
  return await Promise.all(
    callsOf(code).map(async (args) => ({
      place,
      call: args.join(" "),
      problem: (await readArguments(args, PROGRAM)).problem,
    })),
  );
}
