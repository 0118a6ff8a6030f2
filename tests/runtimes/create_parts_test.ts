/** Projects with parts, made by the packed `create-irori`, with the packed library; `create_test.ts` has those without. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname } from "@std/path";
import * as postgresql from "../migrations/sql/postgresql_support.ts";
import { until } from "../migrations/sql/support.ts";
import { packedCreate, scripts, Shell, VARIANTS } from "./created.ts";
import { run } from "./executables.ts";

const packed = packedCreate();
Deno.test.afterAll(async () => {
  await (await packed).project[Symbol.asyncDispose]();
  await postgresql.cleanUp();
});

/** As the README has it. */
const ADMIN_PASSWORD = "correct horse battery";

const { "Node 24": _, ...variants } = VARIANTS;

for (const [title, [runtime, command]] of Object.entries(variants)) {
  test(`create-irori + makes a project on SQLite with openapi, security and logging: ${title}`, async () => {
    const { project, library, script } = await packed;
    const executable = await command();
    const folder = `sqlite-${title.replace(" ", "-").toLowerCase()}`;
    const options = [folder, "--runtime", runtime, "--from", library];
    const parts = ["--with", "openapi,security,logging"];
    const said = await run([...executable, script, ...options, ...parts], { cwd: project.path });

    const [, first = "", start = ""] = /^ {2}(cd .*)\n {2}(.*)\n$/m.exec(said) ?? [];
    const shell = new Shell(project.path, dirname(executable[0]!), { ADMIN_PASSWORD });
    assertMatch(await shell.output(first), passed(10));
    await checks(shell.in(folder), scripts(runtime));
    await using service = await shell.in(folder).started(start);
    await serves(shell.in(folder), service.url);
  });

  Deno.test({
    name:
      `create-irori + makes a project on PostgreSQL with all parts, tested without and with a server: ${title}`,
    ignore: postgresql.postgresqlMissing !== undefined,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const { project, library, script } = await packed;
      const executable = await command();
      const folder = `postgres-${title.replace(" ", "-").toLowerCase()}`;
      const options = [folder, "--runtime", runtime, "--from", library, "--database", "postgres"];
      const parts = ["--with", "openapi,security,logging,jobs"];
      const said = await run([...executable, script, ...options, ...parts], { cwd: project.path });

      const [, first = "", start = ""] =
        /^ {2}(cd .*)\n {2}docker compose up -d --wait && (.*)\n$/m.exec(said) ?? [];
      const bin = dirname(executable[0]!);
      assertMatch(await new Shell(project.path, bin).output(first), passed(12));

      const server = Deno.env.get("TEST_PG_URL")!;
      const datasource = await postgresql.create();
      const DATABASE_URL = Object.assign(new URL(server), { pathname: datasource.database }).href;
      const env = { TEST_DATABASE_URL: server, DATABASE_URL, ADMIN_PASSWORD };
      const at = new Shell(project.path, bin, env).in(folder);
      const tests = runtime === "bun" ? "bun test" : `${scripts(runtime)} test`;
      assertMatch(await at.output(tests), passed(12));
      await checks(at, scripts(runtime));
      assertStringIncludes(
        await at.output(`${scripts(runtime)} irori validate`),
        "4 files, valid",
      );

      await using service = await at.started(start);
      await serves(at, service.url);
      await until(async () => {
        const [{ count } = {}] = await postgresql.query(
          datasource,
          "SELECT count(*) FROM welcomes",
        );
        return count === "1";
      });
      assertEquals((await fetch(`${service.url}/actuator/health`)).status, 200);
    },
  });
}

/** Runs the manifest's scripts, whose output is the same in every project. */
async function checks(at: Shell, scripts: string): Promise<void> {
  await at.output(`${scripts} check`);
  const routes = await at.output(`${scripts} irori routes`);
  assertStringIncludes(routes, "POST  /login");
  assertMatch(routes, /POST +\/users .*admin/);
  const document = await at.output(`${scripts} irori openapi`);
  assertStringIncludes(document, '"bearer"');
  assertStringIncludes(document, "#/components/schemas/User");
  assertStringIncludes(await at.output(`${scripts} irori contract`), '"LoginController": {');
}

/** Sends the requests of the README, whose login is needed, and those to the parts. */
async function serves(at: Shell, url: string): Promise<void> {
  const [, , requests = ""] = (await Deno.readTextFile(at.file("README.md"))).split("```sh\n");
  const lines = requests.split("```")[0]!.trim().replaceAll("http://127.0.0.1:8080", url);
  const answers = await at.output(lines);
  assertEquals(answers.match(/(?<=HTTP\/1.1 )\d+/g), ["201", "200", "200"], answers);
  assertMatch(answers, /^x-request-id: ./mi);
  const refused = await fetch(`${url}/users/1`);
  assertEquals([refused.status, (await refused.json()).status], [401, 401]);
  const page = await fetch(`${url}/docs/swagger-ui.css`);
  assertEquals([page.status, (await page.text()).includes("swagger-ui")], [200, true]);
}

/** How the runners say that as many tests have passed. */
function passed(count: number): RegExp {
  return new RegExp(`^(?:# pass ${count}|ℹ pass ${count}|.*\\b${count} pass(?:ed)?\\b.*)$`, "m");
}

function test(name: string, fn: () => Promise<void>): void {
  // A package is shared, so it outlives the test that asked for it first.
  Deno.test({ name, sanitizeOps: false, sanitizeResources: false, fn });
}
