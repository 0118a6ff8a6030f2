/** The steps of examples/ci, as GitHub and GitLab run them. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parse } from "@std/yaml";
import { dirname, fromFileUrl, join } from "@std/path";
import { CLI } from "../e2e/command_line.ts";
import { workflowCommands } from "../features/formats/support.ts";
import { actionlint } from "../tools/actionlint.ts";

const LIBRARY = new URL("../../mod.ts", import.meta.url).href;
const SECURITY = new URL("../../src/features/security/mod.ts", import.meta.url).href;
const CONFIG_FILE = fromFileUrl(new URL("../../deno.json", import.meta.url));
const IRORI = `${Deno.execPath()} run -A --quiet -c ${CONFIG_FILE} ${CLI}`;

const controller = (role: string) => `
import { GetMapping, RestController } from "${LIBRARY}";
import { apiKey, RolesAllowed, security } from "${SECURITY}";
@RestController()
export class OrderController {
  @GetMapping("/orders")
  @RolesAllowed("${role}")
  list() {
    return [];
  }
}
const keys = [{ key: "k", name: "k", roles: ["clerk", "admin"] }];
export const access = security({ schemes: { key: apiKey({ keys }) } });
`;

interface Done {
  readonly code: number;
  readonly stdout: string;
}

/** A service in a checkout, with a migration that locks and a role that is not the one of the last release. */
class Checkout implements AsyncDisposable {
  private constructor(readonly path: string) {}

  static async create(): Promise<Checkout> {
    const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "irori-ci-" }));
    const checkout = new Checkout(path);
    const url = "postgres://127.0.0.1:1/shop";
    await checkout.write(
      "config/application.yml",
      `component-scan: [src]\ndatasource:\n  - name: main\n    url: ${url}\n    migrations: { enabled: true, lint: error }\n`,
    );
    await checkout.write(
      "migrations/main/1.sql",
      "CREATE TABLE a (id integer);\n",
    );
    await checkout.write("migrations/main/2.sql", "\nDROP TABLE a;\n");
    await checkout.write("src/orders.ts", controller("clerk"));
    const { code, stdout } = await checkout.run(`${IRORI} openapi`, {});
    assertEquals(code, 0);
    await checkout.write("openapi.json", stdout);
    await checkout.write("src/orders.ts", controller("admin"));
    return checkout;
  }

  async write(name: string, text: string): Promise<void> {
    await Deno.mkdir(dirname(join(this.path, name)), { recursive: true });
    await Deno.writeTextFile(join(this.path, name), text);
  }

  async run(script: string, env: Readonly<Record<string, string>>): Promise<Done> {
    const command = new Deno.Command("bash", {
      args: ["-eo", "pipefail", "-c", script],
      cwd: this.path,
      env: { NO_COLOR: "1", GITHUB_WORKSPACE: "", GITHUB_STEP_SUMMARY: "", ...env },
      stdin: "null",
    });
    const { code, stdout } = await command.output();
    return { code, stdout: new TextDecoder().decode(stdout) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

interface Step {
  readonly name: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
  readonly uses?: string;
}

/** The steps that run with these inputs, each with its environment. */
async function steps(given: Readonly<Record<string, string>>): Promise<readonly Step[]> {
  const { inputs, runs } = parse(await Deno.readTextFile("examples/ci/action.yml")) as Action;
  const valueOf = (name: string) => given[name] ?? inputs[name]!.default;
  return runs.steps.filter(({ if: condition }) => {
    const [, name = "", operator, value] = /inputs\.(\S+) (==|!=) '(.*)'/.exec(condition ?? "") ??
      [];
    return operator === undefined || (valueOf(name) === value) === (operator === "==");
  }).map(({ env = {}, ...step }) => ({
    ...step,
    env: Object.fromEntries(
      Object.entries(env).map(([key, text]) => [
        key,
        text.replace(/\$\{\{ inputs\.(\S+) \}\}/g, (_, name) => valueOf(name)),
      ]),
    ),
  }));
}

Deno.test("examples/ci + the action for GitHub annotates migrations and the contract, and writes SARIF", async () => {
  await using checkout = await Checkout.create();
  const temporary = join(checkout.path, "temporary");
  const found: string[] = [];
  for (const { name, run, env } of await steps({ command: IRORI, against: "openapi.json" })) {
    const { code, stdout } = await checkout.run(run!, { RUNNER_TEMP: temporary, ...env });
    found.push(`${name}: ${code}`);
    for (const { name, properties: { file, line, title }, data } of workflowCommands(stdout)) {
      found.push(`${name} ${file}:${line} ${title}: ${data}`);
    }
  }
  const patterns = [
    /^Install the PostgreSQL grammar for the lint: 0$/, // Nothing to do: npm does not manage this checkout.
    /^Check the migrations: 3$/,
    /^error migrations\/main\/2\.sql:2 drop-table: Deletes the data of 'a'/,
    /^Check the API contract: 5$/,
    /^error openapi\.json:\d+ breaking-change: GET \/orders: security: .*key \(clerk\)/,
  ];
  for (const [index, pattern] of patterns.entries()) assertMatch(found[index] ?? "", pattern);

  const all = await steps({ command: IRORI, against: "openapi.json", sarif: "true" });
  assertEquals(all.map(({ name }) => name).slice(3), ["Write SARIF", "Upload SARIF"]);
  const { code } = await checkout.run(all[3]!.run!, { RUNNER_TEMP: temporary, ...all[3]!.env });
  assertEquals(code, 0);
  for (const [name, rule] of [["validate", "drop-table"], ["contract", "breaking-change"]]) {
    const log = JSON.parse(await Deno.readTextFile(join(temporary, "irori", `${name}.sarif`)));
    assertEquals(log.runs[0].results[0].ruleId, rule);
  }
  assertMatch(all[4]!.uses!, /^github\/codeql-action\/upload-sarif@[\da-f]{40}$/);
});

Deno.test("examples/ci + the template for GitLab writes reports, and fails where findings are errors", async () => {
  await using checkout = await Checkout.create();
  await checkout.write("bin/npx", `#!/bin/sh\nshift\nexec ${IRORI} "$@"\n`);
  await Deno.chmod(join(checkout.path, "bin/npx"), 0o755);
  const PATH = `${join(checkout.path, "bin")}:${Deno.env.get("PATH")}`;
  const text = await Deno.readTextFile("examples/ci/gitlab.yml");
  assert(text.split("\n").length <= 12);
  const jobs = parse(text) as Readonly<Record<string, { readonly script: string }>>;
  const expected = { migrations: [3, "drop-table"], contract: [5, "breaking-change"] };
  for (const [name, { script }] of Object.entries(jobs)) {
    const { code } = await checkout.run(script, { PATH });
    const [issue] = JSON.parse(await Deno.readTextFile(join(checkout.path, "report.json")));
    assertEquals([code, issue.check_name], expected[name as keyof typeof expected]);
  }
});

Deno.test("examples/ci + the workflow of its README passes actionlint, with inputs that the action has", async () => {
  const readme = await Deno.readTextFile("examples/ci/README.md");
  const [, workflow = ""] = /^```yaml\n(.*?)^```/ms.exec(readme) ?? [];
  const folder = await Deno.makeTempDir({ prefix: "irori-ci-" });
  await Deno.writeTextFile(join(folder, "checks.yml"), workflow);
  assertEquals(await actionlint(folder), { ok: true, output: "" });
  await Deno.remove(folder, { recursive: true });
  const { inputs } = parse(await Deno.readTextFile("examples/ci/action.yml")) as Action;
  for (const name of Object.keys(inputs)) assertStringIncludes(readme, `| \`${name}\` `);
  const given = parse(workflow) as {
    jobs: { irori: { steps: readonly { with?: Record<string, string> }[] } };
  };
  const used = given.jobs.irori.steps.flatMap((step) => Object.keys(step.with ?? {}));
  assertEquals(used.filter((name) => !Object.hasOwn(inputs, name)), []);
  assertStringIncludes(workflow, "against: openapi.json");
});
