import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { onTerminal } from "../../terminal.ts";

const COMMAND = [
  Deno.execPath(),
  "run",
  "-A",
  "--quiet",
  fromFileUrl(import.meta.resolve("../../../create.ts")),
];

Deno.test("create + asks on a terminal until the answers can be read", async () => {
  await using space = await folder();
  const { code, shown } = await onTerminal([...COMMAND, "app"], {
    cwd: space.path,
    typed: "ruby\nBun\nmysql\nPostgres\nlogging, swagger\nlogging, openapi\n",
  });
  assertEquals(code, 0, shown);
  assertEquals(shown.match(/Which runtime: deno, node, bun\? \[deno\]/g)?.length, 2);
  assertEquals(shown.match(/Which database: sqlite, postgres\? \[sqlite\]/g)?.length, 2);
  assertEquals(
    shown.match(/Which parts, separated by commas: openapi, .*, jobs\? \[none\]/g)?.length,
    2,
  );
  assertStringIncludes(shown, "unknown part 'swagger', expected one of openapi, security");
  const manifest = JSON.parse(await Deno.readTextFile(join(space.path, "app/package.json")));
  assertEquals(manifest.scripts.test, "bun test");
  assertStringIncludes(shown, "bun install && bun test");
  assertEquals(Object.keys(manifest.dependencies), [
    ...[
      "@logtape/logtape",
      "@logtape/redaction",
      "hono",
      "irori",
      "libpg-query",
      "pg",
      "swagger-ui-dist",
      "zod",
    ],
  ]);
});

Deno.test("create + proposes the runtime that it runs on, SQLite, no parts and a folder", async () => {
  await using space = await folder();
  const { code, shown } = await onTerminal(COMMAND, { cwd: space.path, typed: "\n\n\n" });
  assertEquals(code, 0, shown);
  const { imports } = JSON.parse(await Deno.readTextFile(join(space.path, "irori-app/deno.json")));
  assertEquals(Object.keys(imports), ["@irori/irori", "zod"]);
});

Deno.test("create + asks for nothing with --runtime, and without it not for what is given", async () => {
  await using space = await folder();
  const quiet = await onTerminal([...COMMAND, "a", "--runtime=node"], { cwd: space.path });
  assertEquals([quiet.code, quiet.shown.includes("Which")], [0, false], quiet.shown);
  const options = ["b", "--database=postgres", "--with=jobs"];
  const { shown } = await onTerminal([...COMMAND, ...options], { cwd: space.path, typed: "\n" });
  assertEquals(shown.match(/Which \w+/g), ["Which runtime"]);
  assertStringIncludes(shown, "  docker compose up -d --wait && deno task start\n");
});

Deno.test("create + offers no jobs on SQLite", async () => {
  await using space = await folder();
  const options = { cwd: space.path, typed: "node\n\njobs\nnone\n" };
  const { code, shown } = await onTerminal([...COMMAND, "app"], options);
  assertEquals(code, 0, shown);
  assertStringIncludes(shown, "part 'jobs' needs the database 'postgres'");
});

Deno.test("create + writes into a folder that is empty but for its repository", async () => {
  await using space = await folder();
  await Deno.mkdir(join(space.path, ".git"));
  const { code, stdout, stderr } = await run(space.path, ".", "--runtime=node");
  assertEquals([code, stderr], [0, ""]);
  const next = "Next, to test it and then to start it on http://127.0.0.1:8080:\n";
  assertStringIncludes(stdout, `${next}  cd . && npm install && npm test\n  npm start\n`);
  assertStringIncludes(stdout, "  migrations/main/001_create_users.sql\n");
});

Deno.test("create + refuses a folder that is not empty, and a file", async () => {
  await using space = await folder();
  await Deno.mkdir(join(space.path, "app"));
  await Deno.writeTextFile(join(space.path, "app/notes.txt"), "mine");
  assertEquals(await run(space.path, "app", "--runtime", "node"), {
    code: 2,
    stdout: "",
    stderr:
      "error: Cannot create a project in 'app': expected a new or an empty folder, found 'notes.txt' in it\n",
  });
  assertEquals(await run(space.path, "app/notes.txt", "--runtime", "node"), {
    code: 2,
    stdout: "",
    stderr: "error: Cannot create a project in 'app/notes.txt': it is a file\n",
  });
  assertEquals(Array.from(Deno.readDirSync(join(space.path, "app")), ({ name }) => name), [
    "notes.txt",
  ]);
});

const WITHOUT_POSTGRES =
  "part 'jobs' needs the database 'postgres', which stores background jobs; recurring jobs alone run on SQLite, too: " +
  "create the project without this part and add @Scheduled()";

for (
  const [args, message] of [
    [
      ["app"],
      "option '--runtime' is missing: expected one of deno, node, bun",
    ],
    [
      ["app", "--runtime", "dneo"],
      "unknown runtime 'dneo', expected one of deno, node, bun\n(Did you mean deno?)",
    ],
    [["app", "--runtime"], "option '--runtime' argument missing"],
    [["app", "--runtime", "--from"], "option '--runtime' argument missing"],
    [["app", "--runtime=deno", "--runtime=bun"], "option '--runtime' is given twice"],
    [["app", "--rutime=deno"], "unknown option '--rutime'\n(Did you mean --runtime?)"],
    [
      ["app", "--runtime=node", "--database", "postgresql"],
      "unknown database 'postgresql', expected one of sqlite, postgres\n(Did you mean postgres?)",
    ],
    [
      ["app", "--runtime=node", "--with", "openapi,job"],
      "unknown part 'job', expected one of openapi, security, logging, jobs\n(Did you mean jobs?)",
    ],
    [["app", "--runtime=node", "--with=jobs"], WITHOUT_POSTGRES],
    [["app", "--runtime=node", "--with=jobs", "--database=sqlite"], WITHOUT_POSTGRES],
    [["app", "other", "--runtime=deno"], "too many arguments: 'other' is not expected"],
  ] satisfies [string[], string][]
) {
  Deno.test(`create + says what is wrong with '${args.join(" ")}', and writes nothing`, async () => {
    await using space = await folder();
    const stderr = `error: ${message}\n(run with --help for the options)\n`;
    assertEquals(await run(space.path, ...args), { code: 2, stdout: "", stderr });
    assertEquals([...Deno.readDirSync(space.path)], []);
  });
}

Deno.test("create + says what '--from' has to be", async () => {
  await using space = await folder();
  await Deno.writeTextFile(join(space.path, "irori.zip"), "");
  await Deno.mkdir(join(space.path, "empty"));
  for (
    const [from, reason] of [
      ["absent.tgz", "it does not exist"],
      ["irori.zip", "expected a file named .tgz or .tar.gz"],
      ["empty", "expected a 'package.json' in it"],
    ]
  ) {
    const { code, stderr } = await run(space.path, "app", "--runtime=node", "--from", from!);
    assertEquals([code, stderr], [2, `error: Cannot take the library from '${from}': ${reason}\n`]);
  }
});

Deno.test("create + says that no image can be built with a library that is a file", async () => {
  await using space = await folder();
  await Deno.writeTextFile(join(space.path, "irori.tgz"), "");
  const said = async (...args: string[]) => (await run(space.path, ...args)).stdout;
  const why = "The Dockerfile and the workflow need the library from the registry";
  assertStringIncludes(await said("a", "--runtime=node", "--from=irori.tgz"), why);
  assertEquals((await said("b", "--runtime=node")).includes(why), false);
});

Deno.test("create + skips one '--', which others pass on", async () => {
  await using space = await folder();
  const { code, stdout } = await run(space.path, "--", "app", "--runtime", "node");
  assertEquals(code, 0, stdout);
  const again = await run(space.path, "--", "--", "other", "--runtime", "node");
  assertEquals(again.code, 2);
  assertMatch(again.stderr, /^error: unknown option '--'\n/);
});

Deno.test("create + says without a stack what could not be written", async () => {
  await using space = await folder();
  const { code, stderr } = await run(space.path, `${"a".repeat(300)}/b`, "--runtime=node");
  assertEquals(code, 1);
  assertMatch(stderr, /^error: .*too long.*\n$/i);
});

Deno.test("create + prints its help", async () => {
  await using space = await folder();
  const { code, stdout } = await run(space.path, "--help");
  assertEquals(code, 0);
  assertStringIncludes(stdout, "--runtime <name>   what the service runs on: deno, node, bun\n");
  assertStringIncludes(stdout, "separated by commas: openapi, security, logging, jobs\n");
});

async function folder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "irori-create-" }));
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

async function run(cwd: string, ...args: string[]) {
  const [command, ...own] = COMMAND;
  const { code, stdout, stderr } = await new Deno.Command(command!, {
    args: [...own, ...args],
    cwd,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}
