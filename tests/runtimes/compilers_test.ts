/** Tests how other compilers and bundlers compile decorators and the names of classes; the long run has all of them. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { walk } from "@std/fs/walk";
import { join } from "@std/path";
import { installed } from "../../tools/_npm.ts";
import { IS_LONG } from "../long/mod.ts";
import { buildWith } from "./building.ts";
import { node, run } from "./executables.ts";
import { type Project, Project as Projects, testsOn } from "./project.ts";

const TOOLS = ["rollup@4", "@rollup/plugin-node-resolve@16", "typescript@7"];
const LONG_TOOLS = ["webpack@5", "@swc/core@1", "rolldown@1", "esbuild@0.28"];

const SOURCES: Readonly<Record<string, string>> = {
  "main.ts": `import { bootstrap } from "irori";
import { Greetings } from "./greetings.js";
import { UserController } from "./users.js";
const app = await bootstrap({ components: [Greetings, UserController] });
console.log(JSON.stringify([app.routeTable[0].controller, await (await app.request("/users")).json()]));
await app.close();
`,
  "greetings.ts": `import { Service } from "irori";
@Service() export class Greetings { hello() { return "hello"; } }
`,
  "users.ts": `import { GetMapping, inject, RestController } from "irori";
import { Greetings } from "./greetings.js";
@RestController() export class UserController {
  readonly greetings = inject(Greetings);
  @GetMapping("/users") list() { return [this.greetings.hello()]; }
}
`,
};
const WORKS = '["userController",["hello"]]\n';
const NAMELESS =
  'Cannot register a class without a name: name the class or its bean, as in @Service("users"), or keep the names of ' +
  "classes where a bundler shortens them (--keep-names, the plugin of 'irori/vite', decorate({ Name }, …))";

const test = testsOn(
  "compilers",
  Projects.equipped().then(async (project) => {
    for (const [name, text] of Object.entries(SOURCES)) {
      await project.write(`src/${name}`, text);
      const named = text.replace("Service()", 'Service("greetings")')
        .replace("RestController()", 'RestController("userController")');
      await project.write(`named/${name}`, named);
    }
    await project.write("package.json", '{ "type": "module" }');
    return project;
  }),
);

test("tsc + a class whose name Rollup has removed is refused with its methods", async (project) => {
  await compiled(project, "src");
  await rollup(project, "src-js/main.js");
  assertStringIncludes(await failureOf(project, "rollup/main.js"), NAMELESS);
});

test("tsc + names in decorators work with Rollup", async (project) => {
  await compiled(project, "named");
  await rollup(project, "named-js/main.js");
  assertEquals(await outputOf(project, "rollup/main.js"), WORKS);
});

test("npm package + has no dynamic import that webpack warns about", async (project) => {
  const dynamic: string[] = [];
  for await (const { path } of walk(project.file("node_modules/irori"), { includeDirs: false })) {
    if (!path.endsWith(".js")) continue;
    const text = (await Deno.readTextFile(path)).replace(/^ *(?:\/\/|\*).*$/gm, "");
    for (const [found] of text.matchAll(/\bimport\(\s*[^"'`\s)][^\n]*\n.*/g)) {
      if (!found.includes("webpackIgnore: true")) dynamic.push(`${path}: ${found}`);
    }
  }
  assertEquals(dynamic, []);
});

if (IS_LONG) {
  test("webpack + bundles a file that only imports the library without warnings", async (project) => {
    await project.write(
      "only/main.js",
      'import { bootstrap } from "irori";\nconsole.log(typeof bootstrap);\n',
    );
    await webpack(project, "only/main.js");
    assertEquals(await outputOf(project, "webpack/main.mjs"), "function\n");
  });

  test("tsc + a class whose name webpack has removed is refused with its methods", async (project) => {
    await compiled(project, "src");
    await webpack(project, "src-js/main.js");
    assertStringIncludes(await failureOf(project, "webpack/main.mjs"), NAMELESS);
  });

  test("SWC + its default and its old version are refused, and the message says what to set", async (project) => {
    for (const transform of [{}, { decoratorVersion: "2021-12" }]) {
      await swc(project, transform);
      assertMatch(
        await failureOf(project, "swc/main.js"),
        /@Service is a standard decorator: .*SWC: set jsc\.transform\.decoratorVersion to "2022-03".*decorate\(\)/,
      );
    }
    for (const decoratorVersion of ["2022-03", "2023-11"]) {
      await swc(project, { decoratorVersion });
      assertEquals(await outputOf(project, "swc/main.js"), WORKS);
      await rollup(project, "swc/main.js");
      assertEquals(await outputOf(project, "rollup/main.js"), WORKS);
    }
  });

  test("Rolldown + leaves decorators in, unless 'irori/vite' compiles them", async (project) => {
    await rolldown(project, "[]");
    assertStringIncludes(await failureOf(project, "rolldown/main.js"), "SyntaxError");
    await rolldown(project, "[irori()]");
    assertEquals(await outputOf(project, "rolldown/main.js"), WORKS);
  });
}

/** By tsc, into a folder beside. */
async function compiled(project: Project, folder: string): Promise<void> {
  const options = ["--target", "es2022", "--module", "nodenext", "--skipLibCheck", "--noCheck"];
  const tsc = join(await tools(), "node_modules/typescript/bin/tsc");
  await onNode(project, [tsc, ...options, "--outDir", `${folder}-js`, `${folder}/main.ts`]);
}

const rollup = (project: Project, input: string) =>
  configured(
    project,
    `import { rollup } from "rollup";
import resolve from "@rollup/plugin-node-resolve";
const plugins = [resolve({ exportConditions: ["node"] })];
const bundle = await rollup({ input: "${input}", external: /^@?hono/, plugins, onwarn() {} });
await bundle.write({ dir: "rollup", format: "esm" });`,
  );

const webpack = (project: Project, entry: string) =>
  configured(
    project,
    `import webpack from "webpack";
import { promisify } from "node:util";
const stats = await promisify(webpack)({
  mode: "production", target: "node", entry: "./${entry}", experiments: { outputModule: true },
  output: { path: process.cwd() + "/webpack", filename: "main.mjs", module: true, chunkFormat: "module" },
  externals: [/^@?hono/], externalsType: "module",
});
if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString());`,
  );

const swc = (project: Project, transform: object) =>
  configured(
    project,
    `import { transformFile } from "@swc/core";
import { mkdirSync, writeFileSync } from "node:fs";
mkdirSync("swc", { recursive: true });
for (const name of ["main", "greetings", "users"]) {
  const parser = { syntax: "typescript", decorators: true };
  const jsc = { parser, target: "es2022", transform: ${JSON.stringify(transform)} };
  writeFileSync(\`swc/\${name}.js\`, (await transformFile(\`src/\${name}.ts\`, { jsc })).code);
}`,
  );

const rolldown = (project: Project, plugins: string) =>
  configured(
    project,
    `import { rolldown } from "rolldown";
import { irori } from "irori/vite";
const resolve = { extensionAlias: { ".js": [".ts", ".js"] } };
const options = { input: "src/main.ts", platform: "node", external: /^@?hono/, plugins: ${plugins}, resolve };
await (await rolldown(options)).write({ dir: "rolldown", format: "esm" });`,
  );

const configured = async (project: Project, script: string) =>
  await buildWith(await tools(), project, script);

async function onNode(project: Project, args: readonly string[]): Promise<string> {
  return await run([...await node(24), ...args], { cwd: project.path });
}

const outputOf = (project: Project, file: string) => onNode(project, [file]);

/** Not by the process itself, which shows the line of the bundle before the message, and may end in its midst. */
async function failureOf(project: Project, file: string): Promise<string> {
  const script = `await import("./${file}").catch((error) => console.log(String(error)))`;
  return await onNode(project, ["--input-type=module", "--eval", script]);
}

function tools(): Promise<string> {
  return IS_LONG ? installed("compilers", [...TOOLS, ...LONG_TOOLS]) : installed("rollup", TOOLS);
}
