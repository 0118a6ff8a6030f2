/** `--format` of each command, on SQLite and on documents. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { type Outcome, started } from "../../e2e/command_line.ts";
import { type WorkflowCommand, workflowCommands } from "./support.ts";

const CONFIG = `datasource:
  - name: main
    url: sqlite:./shop.db
    migrations: { enabled: true, schema_file: schema.sql }
`;

interface Project extends AsyncDisposable {
  readonly path: string;
  write(name: string, text: string): Promise<void>;
  run(command: string, env?: Readonly<Record<string, string>>): Promise<Outcome>;
}

async function project(files: Readonly<Record<string, string>>): Promise<Project> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "irori-formats-" }));
  const write = async (name: string, text: string) => {
    await Deno.mkdir(dirname(join(path, name)), { recursive: true });
    await Deno.writeTextFile(join(path, name), text);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  return {
    path,
    write,
    run: (command, env) => started(command.split(" "), path, env),
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

/** Severity, place, rule and message of each command. */
function shown({ stdout }: Outcome): readonly string[] {
  return workflowCommands(stdout).map(({ name, properties, data }: WorkflowCommand) => {
    const { file = "-", line, title } = properties;
    const place = line === undefined ? file : `${file}:${line}`;
    return `${name} ${place} ${title}: ${data.split("\n", 1)[0]}`;
  });
}

Deno.test("--format + status, plan, drift and schema --check of SQLite show files and lines", async () => {
  await using shop = await project({
    "config/application.yml": CONFIG,
    "migrations/main/1.sql": "CREATE TABLE a (id INTEGER PRIMARY KEY);\n",
    "migrations/main/2.sql": "INSERT INTO a VALUES (1);\n",
  });
  const pending = ["1", "2"].map((name) =>
    `migrations/main/${name}.sql pending-file: The file is not applied yet`
  );
  const status = await shop.run("status --format github");
  assertEquals([status.code, shown(status)], [0, pending.map((text) => `notice ${text}`)]);
  assertStringIncludes(status.stderr, "main: 2 pending\n");
  const check = await shop.run("status --check --format github");
  assertEquals([check.code, shown(check)], [4, pending.map((text) => `error ${text}`)]);
  const plan = await shop.run("plan --format markdown");
  assertStringIncludes(
    plan.stdout,
    "### main\n\n```text\nmain: 2 to apply\n  1.sql  (sql 1 statement)\n",
  );

  assertEquals((await shop.run("migrate")).code, 0);
  for (const command of ["status", "plan", "drift", "schema --check", "validate"]) {
    const outcomes = await Promise.all(
      ["github", "gitlab", "sarif"].map((format) => shop.run(`${command} --format ${format}`)),
    );
    assertEquals(outcomes.map(({ code }) => code), [0, 0, 0], command);
    const [github, gitlab, sarif] = outcomes.map(({ stdout }) => stdout);
    assertEquals([github, gitlab], ["", "[]\n"]);
    assertEquals(JSON.parse(sarif!).runs[0].results, []);
  }

  const schema = await Deno.readTextFile(join(shop.path, "schema.sql"));
  await shop.write("schema.sql", schema.replace("id", "no"));
  const difference = "error schema.sql:1 schema-difference: The schema of 'main' differs from";
  for (const command of ["drift", "schema --check"]) {
    const outcome = await shop.run(`${command} --format github`);
    assertEquals([outcome.code, shown(outcome)], [5, [`${difference} its schema file`]]);
    assertMatch(outcome.stdout, /%0A-CREATE TABLE a \(no .*%0A\+CREATE TABLE a \(id /);
  }
  await shop.write("config/application.yml", CONFIG.replace(", schema_file: schema.sql", ""));
  await shop.write("migrations/main/1.sql", "-- changed\n");
  assertEquals(shown(await shop.run("status --format github")), [
    "warning migrations/main/1.sql changed-file: The file was changed after it was applied",
  ]);
  const failed = await shop.run("plan --format github");
  assertEquals(failed.code, 8);
  assertMatch(shown(failed)[0]!, /^error migrations\/main\/1\.sql migration-failed-error: Cannot/);
});

Deno.test("--format + drift and plan of a cluster show files, and values only in the summary", async () => {
  await using double = startClusterDouble();
  const template = (shards: number) =>
    JSON.stringify({
      index_patterns: ["x-*"],
      template: { settings: { number_of_shards: shards } },
    });
  await using logs = await project({
    "config/application.yml":
      `search:\n  - name: logs\n    hosts: ['${double.url}']\n    migrations: { enabled: true }\n`,
    "migrations/logs/x-template.json": template(1),
  });
  const plan = await logs.run("plan -m search --format markdown");
  assertEquals(plan.code, 0);
  assertMatch(
    plan.stdout,
    /### logs\n\n```text\nlogs: 1 to apply\n[^`]*PUT \/_index_template\/x\n/,
  );
  assertEquals((await logs.run("migrate -m search")).code, 0);
  await fetch(`${double.url}/_index_template/x`, { method: "PUT", body: template(37) });
  const drift = await logs.run("drift -m search --format github");
  const [line = ""] = shown(drift);
  assertEquals([drift.code, drift.stdout.includes("37")], [5, false]);
  assertMatch(
    line,
    /^error migrations\/logs\/x-template\.json drift: .* differs in '.*number_of_shards'$/,
  );
  assertMatch((await logs.run("drift -m search --format markdown")).stdout, /- "?37"?\n/);
});

Deno.test("--format + whatever makes a command fail is a finding, with the same exit code", async () => {
  const broken = CONFIG.replace("sqlite:./shop.db", "postgres://shop:pa55-word-x@127.0.0.1:1/shop");
  await using shop = await project({
    "config/application.yml": broken,
    "migrations/main/1.sql": "SELECT 'open;\n",
    "yaml/application.yml": "datasource:\n  - name: [\n",
    "key/application.yml": "datasource:\n  - name: main\n",
    "app/application.yml": "component-scan: [src]\n",
    "app/src/broken.ts": "throw new Error('::error::boom');\n",
    "old.json": "[",
  });
  const cases: readonly (readonly [command: string, code: number, finding: RegExp])[] = [
    ["validate", 3, /^error migrations\/main\/1\.sql:1 invalid-file: /],
    ["validate -c yaml", 2, /^error yaml\/application\.yml:\d config-error: /],
    ["validate -c key", 2, /^error key\/application\.yml:2 config-error: '/],
    ["validate -c missing", 2, /^error - config-error: Cannot find the configuration: /],
    [
      "validate --sqlPath none",
      2,
      /^error config\/application\.yml:2 missing-folder-error: Cannot/,
    ],
    ["validate --frobnicate", 2, /^error - argument-error: unknown option '--frobnicate'$/],
    ["status", 7, /^error config\/application\.yml:2 connection-error: Cannot connect/],
    ["plan", 7, /^error config\/application\.yml:2 connection-error: Cannot connect/],
    ["drift", 7, /^error config\/application\.yml:2 connection-error: Cannot connect/],
    [
      "schema --check",
      2,
      /^error config\/application.yml:2 schema-error: The file 'schema\.sql' does not exist: /,
    ],
    ["schema", 2, /^error - usage-error: '--format' requires '--check'$/],
    ["contract", 2, /^error - usage-error: '--format' requires '--against'$/],
    ["contract --against old.json", 2, /^error old\.json:1 usage-error: Cannot compare: /],
    ["contract --against no.json", 2, /^error - usage-error: Cannot compare: file 'no\.json'/],
  ];
  for (const [command, code, finding] of cases) {
    const outcome = await shop.run(`${command} --format github`);
    assertEquals([outcome.code, shown(outcome).length], [code, 1], `${command} ${outcome.stdout}`);
    assertMatch(shown(outcome)[0]!, finding);
    assertStringIncludes(outcome.stderr, "error");
    assertEquals(workflowCommands(outcome.stderr), []);
    assertEquals(`${outcome.stdout}${outcome.stderr}`.includes("pa55-word-x"), false);
  }
  const document = '{ "openapi": "3.1.0", "info": {}, "paths": {} }';
  await shop.write("old.json", document);
  const scan = await shop.run("contract --against old.json -c app --format github");
  assertEquals(scan.code, 2);
  assertMatch(shown(scan)[0]!, /^error app\/src\/broken\.ts usage-error: Cannot import /);
  assertEquals(workflowCommands(scan.stderr), []);
});

Deno.test("--format + contract --against shows the lines of the document", async () => {
  const document = (get: string, schemas: string) =>
    `{
  "openapi": "3.1.0", "info": { "title": "Shop", "version": "1" },
  "paths": {
    "/open": { "get": { "responses": { "200": { "description": "" } } } }${get}
  },
  "components": { "schemas": {
    "Other": {},
    ${schemas}
  } }
}
`;
  const response = '{ "200": { "description": "", "content": ' +
    '{ "application/json": { "schema": { "$ref": "#/components/schemas/User" } } } } }';
  const get = `,\n    "/users": {\n      "get": { "responses": ${response} } }`;
  const user = (type: string) =>
    `"User": { "type": "object", "required": ["id"], "properties": { "id": { "type": "${type}" } } }`;
  await using shop = await project({
    "v1.json": document(get, user("integer")),
    "v2.json": document(get, user("string")),
    "v3.json": document("", user("integer")),
  });
  const compared = async (newer: string, older: string, more = "") => {
    const outcome = await shop.run(`contract ${newer} --against ${older} --format github${more}`);
    return [outcome.code, ...shown(outcome).map((text) => text.slice(0, 60))];
  };
  assertEquals(await compared("v2.json", "v1.json"), [
    5,
    "error v2.json:10 breaking-change: GET /users: schema 'User' ",
  ]);
  assertEquals(await compared("v3.json", "v1.json"), [
    5,
    "error v1.json:6 breaking-change: GET /users: operation: remo",
  ]);
  assertEquals(await compared("v1.json", "v3.json"), [0]);
  assertEquals(await compared("v1.json", "v3.json", " -v"), [
    0,
    "notice v1.json:6 addition: GET /users: operation: added (bef",
  ]);
});

Deno.test("--format github adds a summary to the step, within its limit, and names files below the checkout", async () => {
  await using shop = await project({
    "apps/shop/config/application.yml": CONFIG,
    "apps/shop/migrations/main/1.sql": "SELECT 'open;\n",
    "summary.md": "before\n",
  });
  const folder = join(shop.path, "apps/shop");
  const summary = join(shop.path, "summary.md");
  const env = { GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: shop.path };
  const run = (format: string, more: Record<string, string> = {}) =>
    started(["validate", "--format", format], folder, { ...env, ...more });
  const place = /^error apps\/shop\/migrations\/main\/1\.sql:1 invalid-file: /;
  assertMatch(shown(await run("github"))[0]!, place);
  const first = await Deno.readTextFile(summary);
  assertMatch(
    first,
    /^before\n## irori validate\n\n1 error\n[^]*### main\n\n```text\nmain: 1 file/,
  );
  await run("gitlab");
  assertEquals(await Deno.readTextFile(summary), first);
  const elsewhere = { GITHUB_WORKSPACE: join(folder, "config"), CI_PROJECT_DIR: shop.path };
  assertMatch(shown(await run("github", elsewhere))[0]!, place);
  const none = { GITHUB_WORKSPACE: "", GITHUB_STEP_SUMMARY: "" };
  assertMatch(shown(await run("github", none))[0]!, /^error migrations\/main\/1\.sql:1 /);

  await Deno.writeTextFile(summary, "x".repeat((1 << 20) - 200));
  await run("github");
  const { size } = await Deno.stat(summary);
  assert(size > (1 << 20) - 200 && size <= 1 << 20, `${size}`);
  assertStringIncludes(await Deno.readTextFile(summary), "The summary is cut off here");

  const link = join(shop.path, "stdout");
  await Deno.symlink("/dev/stdout", link);
  const printed = await run("github", { GITHUB_STEP_SUMMARY: link });
  assertMatch(printed.stdout, /^::error [^]*\n## irori validate\n/);
  assert((await Deno.lstat(link)).isSymlink);

  const unwritable = await run("github", { GITHUB_STEP_SUMMARY: join(summary, "none.md") });
  assertEquals(unwritable.code, 3);
  assertMatch(unwritable.stderr, /warning: Cannot write the summary of the step: /);
});

Deno.test("--format belongs to six commands, and not beside --json", async () => {
  await using shop = await project({});
  const both = await shop.run("validate --json --format github");
  assertEquals([both.code, JSON.parse(both.stdout)], [
    2,
    { error: "expected '--json' or '--format', found both" },
  ]);
  const other = await shop.run("migrate --format github");
  assertEquals([other.code, other.stdout], [2, ""]);
  assertStringIncludes(
    other.stderr,
    "which belongs to 'status', 'plan', 'validate', 'schema', 'drift' and 'contract'",
  );
  const unknown = await shop.run("validate --format githbu");
  assertEquals([unknown.code, unknown.stdout], [2, ""]);
  assertStringIncludes(unknown.stderr, "Did you mean github?");
});
