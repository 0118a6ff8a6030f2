import { assertEquals } from "@std/assert";
import { Validator } from "@cfworker/json-schema";
import { join } from "@std/path";
import * as fc from "fast-check";
import { sarifLog } from "../../../src/features/formats/sarif.ts";
import { installed } from "../../../tools/_npm.ts";
import { finding, FINDINGS } from "./support.ts";

const about = { command: "validate", fallback: "config/application.yml" };

/** The schema of OASIS, release 5, in draft 4 of JSON Schema. */
async function schema(): Promise<Validator> {
  const folder = await installed("sarif", ["@microsoft/jest-sarif@1.0.0-beta.0"]);
  const path = join(
    folder,
    "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json",
  );
  return new Validator(JSON.parse(await Deno.readTextFile(path)), "4");
}

Deno.test("sarifLog + every log is valid SARIF 2.1.0", async () => {
  const validator = await schema();
  const errorsOf = (log: unknown) => validator.validate(JSON.parse(JSON.stringify(log))).errors;
  assertEquals(errorsOf(await sarifLog([], about)), []);
  assertEquals(errorsOf({ version: "2.1.0", runs: [{ tool: {} }] }).length > 0, true);
  await fc.assert(
    fc.asyncProperty(FINDINGS, async (findings) => {
      assertEquals(errorsOf(await sarifLog(findings, about)), []);
    }),
    { numRuns: 30 },
  );
});

Deno.test("sarifLog has rules, levels, places below the root and fingerprints", async () => {
  const [{ tool, automationDetails, results }] = (await sarifLog([
    finding({ severity: "error", file: "m/a b%#ä.sql", line: 2, column: 3, advice: ["Safe way"] }),
    finding({ severity: "notice", rule: "addition", file: undefined }),
    finding({ file: "/elsewhere/1.sql" }),
  ], about)).runs as [Run];
  assertEquals(tool.driver.rules, [
    { id: "addition", shortDescription: { text: "Addition" } },
    { id: "drop-table", shortDescription: { text: "Drop table" } },
  ]);
  assertEquals(automationDetails, { id: "irori/validate/" });
  assertEquals(results.map(({ ruleIndex, level }) => [ruleIndex, level]), [
    [1, "error"],
    [0, "note"],
    [1, "warning"],
  ]);
  assertEquals(results[0]?.message, { text: "Deletes 't'\nSafe way" });
  assertEquals(results.map(({ locations: [{ physicalLocation }] }) => physicalLocation), [
    {
      artifactLocation: { uri: "m/a%20b%25%23%C3%A4.sql", uriBaseId: "%SRCROOT%" },
      region: { startLine: 2, startColumn: 3 },
    },
    { artifactLocation: { uri: "config/application.yml", uriBaseId: "%SRCROOT%" } },
    { artifactLocation: { uri: "file:///elsewhere/1.sql" } },
  ]);
  assertEquals(results[0]?.partialFingerprints["irori/v1"]?.length, 64);
});

interface Run {
  readonly tool: { readonly driver: { readonly rules: unknown } };
  readonly automationDetails: unknown;
  readonly results: readonly {
    readonly ruleIndex: number;
    readonly level: string;
    readonly message: unknown;
    readonly locations: readonly [{ readonly physicalLocation: unknown }];
    readonly partialFingerprints: Readonly<Record<string, string>>;
  }[];
}
