import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { pythonPrograms, runProgram } from "../../servers/python.ts";
import { bootstrap } from "@irori/irori";
import { openApi } from "@irori/irori/openapi";
import { type Caller, headersOf } from "../../../examples/tracks/tests/callers.ts";
import { startWithDatabase } from "../../../examples/tracks/tests/with_database.ts";
import { postgresqlMissing } from "../../migrations/sql/postgresql_support.ts";
import { IS_LONG, writeProof } from "../../long/mod.ts";
import { CustomerController, OrderController } from "../../mutation/shop/orders.ts";
import { ProductController } from "../../mutation/shop/products.ts";
import { startUsers } from "./users.ts";

const VERSION = "4.32.5";
const EXAMPLES = IS_LONG ? 1000 : 20;
const hooks = join(import.meta.dirname!, "schemathesis_hooks.py");

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
  /** The user of the requests. @default anonymous */
  readonly caller?: Caller;
  /** Operations with responses that never end. */
  readonly except?: string;
  /** Why it cannot run here. */
  readonly missing?: string;
}

const CASES: readonly Case[] = [
  { name: "the users example", besideVariables: ["/users/search"], start: startUsers },
  {
    name: "the shop of 20 routes",
    besideVariables: ["/products/count", "/products/kinds"],
    start: startShop,
  },
  ...(["anonymous", "admin"] as const).map((caller) => ({
    name: `the tracks example, asked by ${caller},`,
    besideVariables: [],
    start: startTracks,
    caller,
    except: "/events",
    missing: postgresqlMissing,
  })),
];

const found: string[] = [];
for (const { name, besideVariables, start, caller = "anonymous", except, missing } of CASES) {
  const title = `openApi() + schemathesis finds nothing that ${name} does otherwise`;
  Deno.test({ name: title, ignore: missing !== undefined }, async () => {
    const program = join(await pythonPrograms("schemathesis", `schemathesis==${VERSION}`), "st");
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
      const { code, text } = await runProgram(program, [
        "run",
        "api.json",
        `--url=${started.url}`,
        "--checks=all",
        "--phases=examples,coverage,fuzzing,stateful",
        `--max-examples=${EXAMPLES}`,
        "--seed=1",
        "--no-color",
        "--request-timeout=10",
        ...Object.entries(headersOf(caller)).map((header) => `--header=${header.join(": ")}`),
        ...(except === undefined ? [] : [`--exclude-path=${except}`]),
      ], { cwd, env: { SCHEMATHESIS_HOOKS: hooks } });
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
application serves; \`tests/features/openapi/schemathesis_test.ts\` has the rest of the command.

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

async function startTracks(): Promise<Started> {
  const started = await startWithDatabase();
  await started.reset();
  return started;
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
