/** Checks by an independent validator that the schemas accept the files that clusters accept. */
import { Validator } from "@cfworker/json-schema";
import { assertEquals } from "@std/assert";
import { walk } from "@std/fs/walk";
import { parse } from "@std/yaml";
import fc from "fast-check";
import application from "../../../schemas/application.schema.json" with { type: "json" };
import search from "../../../schemas/search.schema.json" with { type: "json" };
import { DATABASES, PARTS } from "../../../src/features/create/choices.ts";
import { projectOf } from "../../../src/features/create/project.ts";
import { endingOf } from "../../../src/migrations/search/files/conventions.ts";
import { blocksOf } from "../../../tools/docs/blocks.ts";
import { BODIES } from "../../migrations/search/kind_bodies.ts";
import { PARAMETERS } from "../reindex/parameters.ts";
import { POLICY_ACTIONS, policyWith } from "../../migrations/search/policy_actions.ts";
import { FIXTURES } from "./fixtures.ts";
import { problemsOf } from "./problems.ts";

type Schema = ConstructorParameters<typeof Validator>[0];

/** The problems that a library's validator finds, by the standard alone. */
function errorsOf(path: string, value: unknown): readonly string[] {
  const { definitions } = search;
  const allOf = [{ $ref: `#/definitions/file.${endingOf(path) ?? "other"}` }];
  const { errors } = new Validator({ allOf, definitions } as Schema, "7").validate(value);
  return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

async function assertValid(path: string, value: unknown): Promise<void> {
  const text = JSON.stringify(value);
  assertEquals(await problemsOf(path, text), [], `${path}: ${text}`);
}

Deno.test("the schemas accept files of any kind by the standard alone", () => {
  for (const [path, value] of Object.entries(FIXTURES)) {
    assertEquals(errorsOf(path, value), [], path);
  }
});

Deno.test("the schemas accept what clusters accept of each kind", async () => {
  for (const [ending, bodies] of Object.entries(BODIES)) {
    const samples = fc.sample(bodies("x"), { numRuns: 50, seed: 1 });
    for (const body of samples) await assertValid(`x-${ending}.json`, body);
  }
  for (const { sent, live } of POLICY_ACTIONS) {
    for (const action of [sent, live]) {
      await assertValid("x-policy.json", { policy: policyWith(action) });
    }
  }
});

Deno.test("the schemas accept every parameter of a field that clusters accept", async () => {
  for (const { name, base, parameter, usual, other } of PARAMETERS) {
    for (const value of [...usual, other]) {
      const properties = { [name]: { ...base, [parameter]: value } };
      await assertValid("x.json", { mappings: { properties } });
    }
  }
});

Deno.test("the schemas accept placeholders in place of any value", async () => {
  const text = JSON.stringify({
    index_patterns: ["logs-${env}-*"],
    priority: "${priority}",
    template: {
      settings: {
        number_of_replicas: "${replicas}",
        "index.routing.allocation.require": "${nodes}",
        index: { refresh_interval: "${refresh}", hidden: "${hidden}" },
      },
      mappings: "${mappings}",
    },
  });
  assertEquals(await problemsOf("x-template.json", text), []);
  const data = [1, 2];
  const [problem] = await problemsOf(
    "x-template.json",
    '{"index_patterns":["a"],\n "priority":"${p}"}',
    { p: { data, json: JSON.stringify(data) } },
  );
  assertEquals(
    [problem?.line, problem?.column, problem?.message],
    [2, 13, "Expected a whole number, found a list"],
  );
});

Deno.test("the schemas accept the files of the examples and of the guide", async () => {
  let files = 0;
  for await (const path of filesIn("examples", /\/migrations\/.*\.json$/)) {
    assertEquals(await problemsOf(path, await Deno.readFile(path)), [], path);
    files++;
  }
  for await (const { place, code } of blocksIn("json")) {
    const problems = await problemsOf("x.json", code);
    // Answers of servers, and parts of files.
    if (problems.some(({ severity }) => severity === "error")) continue;
    assertEquals(problems, [], place);
    files++;
  }
  assertEquals(files >= 7, true, `${files} files`);
});

Deno.test("application.schema.json accepts the configurations of the examples and of the guide", async () => {
  const validator = new Validator(application as Schema, "7");
  const check = (place: string, text: string) => {
    const { errors } = validator.validate(parse(text, { schema: "core" }));
    assertEquals(errors.map(({ error }) => error), [], place);
  };
  let files = 0;
  for (const folder of ["examples", "templates/service", "tests/app/fixtures"]) {
    for await (const path of filesIn(folder, /\/config\/.*\.ya?ml$/)) {
      check(path, await Deno.readTextFile(path));
      files++;
    }
  }
  for (const database of DATABASES) {
    const { files } = projectOf("app", { runtime: "node", database, parts: PARTS });
    check(database, files.get("config/application.yml")!);
  }
  for await (const { place, code } of blocksIn("yaml")) {
    if (!/^(?:server|search|datasource|management|logging|openapi|profiles):/m.test(code)) continue;
    check(place, code);
    files++;
  }
  assertEquals(files >= 25, true, `${files} files`);
});

Deno.test("application.schema.json refuses what the loader refuses", () => {
  const validator = new Validator(application as Schema, "7");
  const table: [value: unknown, isValid: boolean][] = [
    [{ server: { port: "${PORT:8080}", "sse.heartbeat": 5 }, users: { own: 1 } }, true],
    [{ "server.port": 80, search: { name: "a", hosts: "http://h", own: 1 } }, true],
    [{ server: { prot: 80 } }, false],
    [{ "server.prot": 80 }, false],
    [{ server: { port: "many" } }, false],
    [{ search: [{ name: "a", hosts: [], migrations: { enable: true } }] }, false],
    [{ search: [{ nam: "a", hosts: [] }] }, false],
    [{ datasource: { name: "a", url: "sqlite:a", ssl: { cert: "a", verfy: true } } }, false],
    [{ datasource: { name: "a", migrations: { lint: "wran" } } }, false],
    [{ management: { metrics: { tag: {} } } }, false],
    [{ logging: { level: { root: "INFO", http: { access: "OFF" } } } }, true],
    [{ logging: { level: { root: "LOUD" } } }, false],
  ];
  for (const [value, isValid] of table) {
    assertEquals(validator.validate(value).valid, isValid, JSON.stringify(value));
  }
});

async function* filesIn(folder: string, named: RegExp): AsyncIterable<string> {
  for await (const { path } of walk(folder, { includeDirs: false })) {
    if (named.test(path) && !path.includes("node_modules")) yield path;
  }
}

async function* blocksIn(language: string) {
  for await (const path of filesIn("docs/guide", /\.md$/)) {
    for (const block of blocksOf(await Deno.readTextFile(path), path)) {
      if (block.language === language) yield block;
    }
  }
}
