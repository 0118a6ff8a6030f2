import { assertEquals } from "@std/assert";
import { isAboutPackage, saysItself } from "../../tools/doc_lint.ts";

Deno.test("isAboutPackage tells types of packages from private types of our own", () => {
  const report = (type: string) =>
    `error[private-type-ref]: public type 'A["b"]' references private type '${type}'\n` +
    "  --> /a.ts:20:3\n   |\n";
  const source = `import type { Context } from "hono";\n` +
    `import {\n  a,\n  type Schema,\n} from "@standard-schema/spec";\n` +
    `import type { Own } from "./own.ts";\n`;
  const table: [report: string, expected: boolean][] = [
    [report("Context"), true],
    [report("Schema.Props"), true],
    [report("Own"), false],
    [report("Text"), false],
    [report("Missing"), false],
    ["error[missing-jsdoc]: exported symbol is missing JSDoc\n  --> /a.ts:1:1\n", false],
  ];
  for (const [text, expected] of table) assertEquals(isAboutPackage(text, () => source), expected);
});

Deno.test("saysItself tells constructors and members that override from symbols that need a text", () => {
  const report = (line: string, rule = "missing-jsdoc") =>
    `error[${rule}]: exported symbol is missing JSDoc documentation\n` +
    `  --> /a.ts:12:3\n   | \n12 | ${line}\n   |   ^\n`;
  const table: [report: string, expected: boolean][] = [
    [report("  constructor(problems: readonly FileProblem[]) {"), true],
    [report('  override readonly name = "LockedError";'), true],
    [report("  readonly connection: string;"), false],
    [report("  constructor(a: Private) {", "private-type-ref"), false],
  ];
  for (const [text, expected] of table) assertEquals(saysItself(text), expected, text);
});
