/** Tests a project that installs the library beside the oldest Hono, and the messages about missing packages. */
import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path/posix";
import manifest from "../../jsr.json" with { type: "json" };
import { installed } from "../../tools/_npm.ts";
import { PACKAGES } from "../../src/runtime/mod.ts";
import { UNPLUGIN } from "../../src/features/vite/plugin.ts";
import { rawConformance } from "../conformance/raw_runner.ts";
import { conformance } from "../conformance/runner.ts";
import { usersCases } from "./app/users_cases.ts";
import { buildTools, bun, type Command, DENO, node, run, tsx } from "./executables.ts";
import { EXCEPTED } from "./excepted.ts";
import { addApplications } from "./applications.ts";
import { APP, peers, Project, testsOn } from "./project.ts";
import { serving } from "./serving.ts";

const OLDEST = "4.8.0";
const AUTHORIZED = `
import { bootstrap, GetMapping, RestController, Use } from "irori";
import { basicAuth } from "hono/basic-auth";

@RestController()
class Secrets {
  @Use(basicAuth({ username: "ada", password: "word" }))
  @GetMapping("/secret")
  get() { return "secret"; }
}

const app = await bootstrap({ components: [Secrets], config: {} });
const authorized = { headers: { Authorization: "Basic " + btoa("ada:word") } };
for (const init of [{}, authorized]) {
  const response = await app.request("/secret", init);
  console.log(response.status, response.headers.get("WWW-Authenticate"));
}
`;
/** Exports of types whose names other packages cannot import. */
const EXPORTED = `
import {
  Autowired, binder, bootstrap, Component, GetMapping, Model, PathVariable, PostConstruct, Primary, RequestBody,
  RequestMapping, RequestParam, RequestPart, RestController, Scope, Service, Use, Value,
} from "irori";
import { z } from "zod";

export class User extends Model(z.object({ name: z.string() })) {}
export const CurrentUser = binder((request) => ({ name: request.method }));
export const Page = RequestParam("page", "int", { defaultValue: 1 });
export const Id = PathVariable("id", "uuid");
export const NewUser = RequestBody(User, { required: false });
export const Tags = RequestParam("tag", "uuid", { list: true, required: false });
export const Upload = RequestPart("file", { required: false });
export const Get: typeof GetMapping = GetMapping;
export const Me = () => GetMapping("/me", CurrentUser);
export const Admin = (path: string) => RequestMapping({ path, method: ["GET", "PUT"] }, CurrentUser);
export const Repository = (name?: string) => Component(name);
export const Api = () => RestController();
export const Facade = () => Service("facade");
export const Each = () => Scope("prototype");
export const First = () => Primary();
export const Ready = () => PostConstruct();
export const Users = () => Autowired(User);
export const Clock = () => Autowired("clock");
export const Size = () => Value("\${size:20}");
export const Logged = () => Use(async (_context, next) => await next());
export const app = await bootstrap();
export const listening = () => app.listen();
export const { routeTable: routes } = app;
`;
const LOGGING = `
import { bootstrap } from "irori";
import { logging } from "irori/logging";
await bootstrap({ components: [], config: {}, extensions: [logging()] });
`;
const MIGRATING = `
import { migrateSearch } from "irori/migrations";
console.log(typeof migrateSearch);
`;
const PLUGIN = `
import { irori } from "irori/vite";
await irori.webpack();
`;

const CONTROLLER = `
import { GetMapping, RestController } from "irori";
@RestController()
export class Api { @GetMapping("/") get(): string { return "here"; } }
`;
/** The message of each version of Node for decorators that were not compiled. */
const UNCOMPILED: Readonly<Record<string, string>> = {
  decorators: CONTROLLER,
  enums: `enum Color { Red }\n${CONTROLLER}`,
};

const project = Project.fromTarball(`hono@${OLDEST}`, "zod@4", ...peers("jose")).then(
  async (made) => {
    await addApplications(made, (name) => join("irori", name));
    await made.write("authorized.ts", AUTHORIZED);
    await made.write("logging.mjs", LOGGING);
    await made.write("migrating.mjs", MIGRATING);
    await made.write("plugin.mjs", PLUGIN);
    return made;
  },
);
const test = testsOn("the npm package", project);

test("installs one copy of Hono and nothing of the command line", async (made) => {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(made.file("node_modules"))) {
    if (!name.startsWith(".")) names.push(name);
  }
  // The application asked for jose and zod itself.
  assertEquals(names.sort(), ["@hono", "@standard-schema", "hono", "irori", "jose", "zod"]);
  const { version } = JSON.parse(
    await Deno.readTextFile(made.file("node_modules/hono/package.json")),
  );
  assertEquals(version, OLDEST);
});

test("passes the conformance suite and the users example with the oldest Hono", async (made) => {
  const command = [...await tsx(24), made.file(`${APP}/scanned.ts`)];
  await using server = await serving(command, made.path, 2);
  const [suite = "", users = ""] = server.urls;
  const { hostname, port } = new URL(suite);
  const outcomes = [
    ...await conformance(suite),
    ...await rawConformance(hostname, Number(port)),
    ...await conformance(users, usersCases),
  ];
  const failed = outcomes.filter(({ name, failures }) =>
    failures.length > 0 && !EXCEPTED.Node?.includes(name)
  );
  assertEquals(failed, []);
});

test("has types for the lowest TypeScript, without the packages that parts need", async (made) => {
  const names = Object.keys(manifest.exports)
    .filter((name) => name !== "./cli" && name !== "./create"); // Programs.
  await made.write(
    "every_entry.ts",
    names.map((name, index) => `export * as entry${index} from "${join("irori", name)}";\n`).join(
      "",
    ),
  );
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"];
  const lib = ["--lib", "esnext,dom,dom.iterable,dom.asynciterable"];
  const tsc = await lowestTsc();
  assertEquals(await run([...tsc, ...options, ...lib, "every_entry.ts"], { cwd: made.path }), "");
});

test("lets the declarations of others be written, whose types have no name here", async (made) => {
  await made.write("exported.ts", EXPORTED);
  const options = ["--declaration", "--emitDeclarationOnly", "--outDir", "declared", "--strict"];
  const modules = ["--module", "nodenext", "--target", "es2022", "--skipLibCheck"];
  const tsc = await lowestTsc();
  assertEquals(await run([...tsc, ...options, ...modules, "exported.ts"], { cwd: made.path }), "");
  const declared = await Deno.readTextFile(`${made.path}/declared/exported.d.ts`);
  assertStringIncludes(declared, 'const Page: import("irori").Binder<number, never>');
});

test("lets middleware of the oldest Hono answer", async (made) => {
  const printed = await run([...await tsx(24), "authorized.ts"], { cwd: made.path });
  assertEquals(printed, '401 Basic realm="Secure Area"\n200 null\n');
});

for (
  const [name, command] of [
    ["Node 24", () => node(24)],
    ["Bun", bun],
    ["Deno", () => DENO],
  ] satisfies [string, () => Command | Promise<Command>][]
) {
  test(`says what to install when it is needed: ${name}`, async (made) => {
    const options = { cwd: made.path };
    const line = [...await command()];
    await assertRejects(
      () => run([...line, "logging.mjs"], options),
      Error,
      hint("@logtape/logtape"),
    );
    await assertRejects(
      () => run([...line, "plugin.mjs"], options),
      Error,
      `npm install ${UNPLUGIN.name}@${UNPLUGIN.range}`,
    );
    const cli = [...line, "node_modules/irori/bin.js", "-c", "examples/users/config"];
    await assertRejects(() => run([...cli, "scan"], options), Error, hint("@babel/parser"));
  });
}

for (const major of [22, 24] as const) {
  test(`reads controllers in TypeScript by tsx, and says so without: Node ${major}`, async (made) => {
    const command = (...options: string[]) => async (flags: Command = []) => {
      const line = [...await node(major), ...flags, "node_modules/irori/bin.js"];
      return await run([...line, ...options], { cwd: made.path });
    };
    for (const [folder, text] of Object.entries(UNCOMPILED)) {
      await made.write(`${folder}/config/application.yml`, "component-scan: .\n");
      await made.write(`${folder}/api.ts`, text);
      const contract = command("contract", "--json", "-c", `${folder}/config`);
      const advice =
        "in a project of 'npm create irori' write 'npm run irori --' in place of 'npx irori'; " +
        "elsewhere install tsx ('npm install --save-dev tsx')";
      await assertRejects(contract, Error, advice);
      const [, ...flags] = await tsx(24);
      assertEquals(Object.keys(JSON.parse(await contract(flags))), ["Api"]);
    }
  });
}

test("names decorate() and the plugin where JavaScript has decorators", async (made) => {
  await made.write("left/config/application.yml", "component-scan: .\n");
  await made.write("left/api.js", CONTROLLER.replace(": string", ""));
  const line = [...await node(24), "node_modules/irori/bin.js", "contract", "-c", "left/config"];
  const { message } = await assertRejects(() => run(line, { cwd: made.path }), Error);
  assertStringIncludes(message, "write decorate() in place of decorators");
  assertStringIncludes(message, "without the plugin of 'irori/vite'");
});

test("says on a runtime that is too old which one it needs", async (made) => {
  const old = ["--import", "data:text/javascript,delete Map.groupBy"];
  const line = [...await node(22), ...old];
  const options = { cwd: made.path };
  const expected = "Irori needs Node 22.19, Deno 2.9, Bun 1.4 or later";
  const commands = [["node_modules/irori/bin.js", "status"], ["logging.mjs"]];
  for (const command of commands) {
    await assertRejects(() => run([...line, ...command], options), Error, expected);
  }
  const { code, stderr } = await new Deno.Command(line[0] ?? "", {
    args: [...old, "node_modules/irori/bin.js", "status"],
    ...options,
  }).output();
  assertEquals(code, 2);
  assertMatch(
    new TextDecoder().decode(stderr),
    /^error: This runtime is too old \(v22\..*\): Irori needs Node 22\.19, Deno 2\.9, Bun 1\.4 or later\n$/,
  );
});

for (
  const [name, build] of [
    ["esbuild", async () => [
      ...[`${await buildTools()}/node_modules/.bin/esbuild`, "--bundle", "--platform=node"],
      ...["--format=esm", "--log-level=warning", "migrating.mjs"],
    ]],
    ["bun build", async () => [...await bun(), "build", "--target=bun", "migrating.mjs"]],
  ] satisfies [string, () => Promise<Command>][]
) {
  test(`is bundled without missing packages: ${name}`, async (made) => {
    const code = await run(await build(), { cwd: made.path });
    assertStringIncludes(code, `import("undici")`);
  });
}

function hint(name: keyof typeof PACKAGES): string {
  return `npm install ${name}@${PACKAGES[name]}`;
}

/** The compiler that the guide names as the lowest. */
async function lowestTsc(): Promise<Command> {
  const guide = await Deno.readTextFile("docs/guide/runtimes.md");
  const [, version = ""] = /TypeScript (\d+\.\d+) is the lowest/.exec(guide) ?? [];
  const folder = await installed(`typescript-${version}`, [`typescript@${version}`]);
  return [...await node(24), `${folder}/node_modules/typescript/bin/tsc`];
}
