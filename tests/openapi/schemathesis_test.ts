import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { bootstrap } from "@irori/irori";
import { openApi } from "@irori/irori/openapi";
import { IS_LONG, writeProof } from "../long/mod.ts";
import { CustomerController, OrderController } from "../mutation/shop/orders.ts";
import { ProductController } from "../mutation/shop/products.ts";
import { startUsers } from "./users.ts";

const VERSION = "4.32.5";
const EXAMPLES = IS_LONG ? 1000 : 20;
const hooks = join(import.meta.dirname!, "schemathesis_hooks.py");
const folder = join(import.meta.dirname!, "../../.cache/schemathesis");

/** An application that listens. */
interface Started extends AsyncDisposable {
  readonly url: string;
}

interface Case {
  readonly name: string;
  /**
   * Paths beside a path with a variable that takes other methods: `PUT /users/search` is `PUT /users/{id}` with a bad id,
   * thus 400, and allowed. OpenAPI has only one path count for a request, whatever its method.
   */
  readonly besideVariables: readonly string[];
  start(): Promise<Started>;
}

const CASES: readonly Case[] = [
  { name: "the users example", besideVariables: ["/users/search"], start: startUsers },
  {
    name: "the shop of 20 routes",
    besideVariables: ["/products/count", "/products/kinds"],
    start: startShop,
  },
];

const found: string[] = [];
for (const { name, besideVariables, start } of CASES) {
  Deno.test(`openApi() + schemathesis finds nothing that ${name} does otherwise`, async () => {
    const program = await schemathesis();
    await using started = await start();
    const cwd = await Deno.makeTempDir(); // It keeps examples that it found in the folder it runs in.
    try {
      const document = await (await fetch(`${started.url}/openapi.json`)).text();
      // Which addresses are emails is seen otherwise by zod and by Python; the pattern that zod gives says it all.
      await Deno.writeTextFile(join(cwd, "api.json"), document.replaceAll('"format":"email",', ""));
      await Deno.writeTextFile(
        join(cwd, "schemathesis.toml"),
        besideVariables.map(withOwnMethods).join("\n"),
      );
      const { code, text } = await run(program, [
        "run",
        "api.json",
        `--url=${started.url}`,
        "--checks=all",
        "--phases=examples,coverage,fuzzing,stateful",
        `--max-examples=${EXAMPLES}`,
        "--seed=1",
        "--no-color",
        "--request-timeout=10",
      ], cwd);
      assertEquals(code, 0, text);
      const [, generated = ""] = /^\s*(\d+) generated/m.exec(text) ?? [];
      const operations = /Operations: +(\d+) selected/.exec(text)?.[1] ?? "";
      found.push(`| ${name} | ${operations} | ${EXAMPLES} | ${generated} | 0 |`);
    } finally {
      await Deno.remove(cwd, { recursive: true });
    }
  });
}

Deno.test.afterAll(async () => {
  if (found.length < CASES.length) return;
  await writeProof(
    "schemathesis",
    `# Schemathesis against the examples

Schemathesis ${VERSION}, \`--checks=all --phases=examples,coverage,fuzzing,stateful\`, by the document that the
application serves; \`tests/openapi/schemathesis_test.ts\` has the rest of the command.

| application | operations | examples for each | requests | found |
| --- | --- | --- | --- | --- |
`,
    found,
  );
});

/** Tries methods that neither path has. */
function withOwnMethods(path: string): string {
  const methods = 'phases.coverage.unexpected-methods = ["POST", "PATCH", "TRACE"]';
  return `[[operations]]\ninclude-path = "${path}"\n${methods}\n`;
}

async function startShop(): Promise<Started> {
  const app = await bootstrap({
    components: [ProductController, OrderController, CustomerController],
    config: { "server.port": 0, "server.address": "127.0.0.1" },
    extensions: [openApi()],
  });
  const { url } = await app.listen();
  return { url, [Symbol.asyncDispose]: () => app.close() };
}

/** Installed once, in a folder that is not kept in the repository. */
async function schemathesis(): Promise<string> {
  const program = join(folder, "bin", "st");
  const installed = await run(program, ["--version"]).catch(() => ({ code: 1, text: "" }));
  if (installed.code === 0 && installed.text.includes(VERSION)) return program;
  await makeEnvironment();
  await mustRun(join(folder, "bin", "pip"), ["install", "-q", `schemathesis==${VERSION}`]);
  return program;
}

/** Debian has what makes environments in a package of its own. */
async function makeEnvironment(): Promise<void> {
  const make = () => run("python3", ["-m", "venv", "--clear", folder]);
  const made = await make().catch(() => ({ code: 1 }));
  if (made.code === 0) return;
  await mustRun("apt-get", ["update", "-q"]);
  await mustRun("apt-get", ["install", "-yq", "--no-install-recommends", "python3-venv"]);
  const { code, text } = await make();
  assertEquals(code, 0, text);
}

async function mustRun(program: string, args: string[]): Promise<void> {
  const { code, text } = await run(program, args);
  assertEquals(code, 0, text);
}

async function run(
  program: string,
  args: string[],
  cwd?: string,
): Promise<{ code: number; text: string }> {
  const env = { DEBIAN_FRONTEND: "noninteractive", SCHEMATHESIS_HOOKS: hooks };
  const command = new Deno.Command(program, { args, cwd, env, stdin: "null" });
  const { code, stdout, stderr } = await command.output();
  return { code, text: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}
