/** Tests that the command line writes all of its output before its process ends, whatever the output is. */
import { assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { bun, type Command, DENO, node } from "./executables.ts";
import { Project } from "./project.ts";

const LENGTH = 5_000_000;
const FINDINGS = 1_500;

const project = Project.fromTarball().then(async (made) => {
  await made.write(
    "config/application.yml",
    `datasource:
  - { name: big, url: "sqlite:./big.db", migrations: { enabled: true } }
  - { name: bad, url: "sqlite:./bad.db", migrations: { enabled: true, lint: error } }
`,
  );
  await made.write(
    "migrations/big/1.sql",
    `CREATE TABLE a (b TEXT);\nINSERT INTO a VALUES ('${"x".repeat(LENGTH)}');\n`,
  );
  const drops = Array.from({ length: FINDINGS }, (_, n) => `DROP TABLE orders_of_the_year_${n};\n`);
  await made.write("migrations/bad/1.sql", drops.join(""));
  return made;
});
Deno.test.afterAll(async () => await (await project)[Symbol.asyncDispose]());

const RUNTIMES: readonly (readonly [string, () => Promise<Command> | Command])[] = [
  ["Node 22", () => node(22)],
  ["Node 24", () => node(24)],
  ["Bun", bun],
  ["Deno", () => DENO],
];

for (const [name, command] of RUNTIMES) {
  const test = (title: string, fn: (irori: Irori) => Promise<void>) =>
    Deno.test({
      name: `irori on ${name} + ${title}`,
      // The files are shared, so they outlive the test that asked for them first.
      sanitizeOps: false,
      sanitizeResources: false,
      async fn() {
        const made = await project;
        const bin = [...await command(), made.file("node_modules/irori/bin.js")];
        await fn((args, shell = '"$@"') =>
          start(made.path, ["sh", "-c", `exec ${shell}`, "sh", ...bin, ...args])
        );
      },
    });

  test("writes 5 MB into each of two pipes that are read slowly", async (irori) => {
    const child = irori(PLAN);
    const [stdout, stderr] = await Promise.all([slowly(child.stdout), slowly(child.stderr)]);
    assertEquals((await child.status).code, 0);
    assertEquals(JSON.parse(stdout).connections[0].steps.length, 1);
    assertEquals([stdout.length > LENGTH, stderr.length > LENGTH], [true, true]);
  });

  test("writes findings and errors into two pipes that are read slowly", async (irori) => {
    const child = irori(["validate", "--connection", "bad", "--format", "gitlab"]);
    const [stdout, stderr] = await Promise.all([slowly(child.stdout), slowly(child.stderr)]);
    assertEquals((await child.status).code, 3);
    assertEquals(JSON.parse(stdout).length, FINDINGS);
    assertEquals(stderr.match(/^error: /gm)?.length, FINDINGS);
  });

  test("writes 5 MB into files", async (irori) => {
    const child = irori(PLAN, '"$@" >out 2>err');
    assertEquals([await text(child), (await child.status).code], [["", ""], 0]);
    const made = await project;
    const [out, err] = await Promise.all(
      ["out", "err"].map((name) => Deno.readTextFile(made.file(name))),
    );
    assertEquals([out?.length! > LENGTH, out?.endsWith("}\n")], [true, true]);
    assertEquals([err?.length! > LENGTH, err?.endsWith(");\n") || err?.endsWith(")\n")], [
      true,
      true,
    ]);
  });

  test("ends with the code of the command when the readers leave", async (irori) => {
    const child = irori(PLAN);
    const start = await firstPart(child.stdout);
    assertEquals(start.startsWith("{\n"), true);
    assertMatch(await firstPart(child.stderr), /^big: 1 to apply/);
    assertEquals((await child.status).code, 0);
  });

  for (const [signal, code] of [["SIGTERM", 143], ["SIGINT", 130]] as const) {
    test(`ends by ${signal} while a reader who has stopped has not read all`, async (irori) => {
      const child = irori(["plan", "--connection", "big", "--json"], '"$@" 2>err');
      const reader = child.stdout.getReader();
      await reader.read(); // The rest of the document fills the pipe.
      child.kill(signal);
      assertEquals((await child.status).code, code);
      await reader.cancel();
      await child.stderr.cancel();
      assertEquals(
        (await Deno.readTextFile((await project).file("err"))).includes("    at "),
        false,
      );
    });
  }
}

Deno.test({
  name: "irori on Deno + keeps the order of two streams that are one pipe",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const { path } = await project;
    const command = [...DENO, "node_modules/irori/bin.js", ...PLAN];
    const [stdout = ""] = await text(start(path, ["sh", "-c", 'exec "$@" 2>&1', "sh", ...command]));
    const [report = "", document = ""] = stdout.split(/^(?=\{$)/m);
    assertMatch(report, /^big: 1 to apply\n/);
    assertEquals(JSON.parse(document).connections.length, 1);
  },
});

Deno.test("create + fails when its output cannot be written", async () => {
  const create = fromFileUrl(new URL("../../create.ts", import.meta.url));
  const child = start(".", ["sh", "-c", 'exec "$@" >/dev/full', "sh", ...DENO, create, "--help"]);
  const [stdout, stderr = ""] = await text(child);
  assertEquals([(await child.status).code, stdout], [1, ""]);
  assertMatch(stderr, /^error: Cannot write the output: No space left on device.*\n$/);
});

type Irori = (args: readonly string[], shell?: string) => Deno.ChildProcess;

const PLAN = ["plan", "--connection", "big", "--json"];

function start(cwd: string, [command = "", ...args]: Command): Deno.ChildProcess {
  const pipes = { stdin: "null", stdout: "piped", stderr: "piped" } as const;
  const env = { NODE_NO_WARNINGS: "1" }; // Node 22 warns of its SQLite.
  return new Deno.Command(command, { args, cwd, env, ...pipes }).spawn();
}

async function text({ stdout, stderr }: Deno.ChildProcess): Promise<readonly string[]> {
  return await Promise.all([stdout, stderr].map((stream) => new Response(stream).text()));
}

async function firstPart(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}

/** Lets the writer run between two parts. */
async function slowly(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    await new Promise((resolve) => setTimeout(resolve));
  }
  return text;
}
