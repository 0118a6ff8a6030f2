/** Applications as users run them: installed from the packed tarball, on each runtime, over real sockets. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl, toFileUrl } from "@std/path";
import { join } from "@std/path/posix";
import { build, stop } from "esbuild";
import manifest from "../../jsr.json" with { type: "json" };
import { Graph } from "../../tools/_graph.ts";
import { rawConformance } from "../conformance/raw_runner.ts";
import { contextConformance } from "../conformance/context.ts";
import { conformance } from "../conformance/runner.ts";
import { socketConformance } from "../conformance/socket.ts";
import { unansweredCloseFrames } from "./close_frames.ts";
import { usersCases } from "./app/users_cases.ts";
import {
  buildTools,
  bun,
  type Command,
  DENO,
  edgeTools,
  node,
  run,
  tsx,
  workerd,
} from "./executables.ts";
import { EXCEPTED } from "./excepted.ts";
import { addApplications } from "./applications.ts";
import { APP, Project } from "./project.ts";
import { serving } from "./serving.ts";

const REPOSITORY = new URL("../../", import.meta.url);
const FLAGS = ["", "nodejs_compat"];
/** The preparation begins while the first tests run. */
const project = Project.equipped().then(async (made) => {
  await addApplications(made, (name) => join("irori", name));
  return made;
});
const tools = buildTools();
const edge = edgeTools();
const tsc = lazily(compile);
const away = Project.empty();
const esbuild = lazily(async () => {
  const copy = (await away).file("listed.mjs");
  await Deno.copyFile(await bundle("listed", ["--platform=node"]), copy);
  return copy;
});
const workers = lazily(() =>
  Promise.all(["conformance_worker", "users_worker"].map((name) =>
    bundle(name, [
      "--platform=neutral", // Without conditions, as who does not know of any.
      "--main-fields=module,main",
    ])
  ))
);

/** The worker of the sources, as one has it who takes them from elsewhere than npm. */
const sourceWorker = lazily(async () => {
  const entry = `${APP}/conformance_worker.ts`;
  const [made, graph] = await Promise.all([project, Graph.of([entry])]);
  const outfile = made.file("bundles/sources.mjs");
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    conditions: ["workerd", "worker", "browser"],
    mainFields: ["module", "main"],
    plugins: [graph.plugin({ packages: made.path })],
  });
  await stop();
  return outfile;
});

for (const major of [22, 24] as const) {
  test(`Node ${major} + tsx`, async (made) => [
    ...await tsx(major),
    made.file(`${APP}/scanned.ts`),
  ]);
  test(`Node ${major} + tsc`, async () => [...await node(major), `${await tsc()}/scanned.js`]);
  // Away from the project: all it needs is in the bundle.
  test(`Node ${major} + esbuild`, async () => [...await node(major), await esbuild()]);
}

test("Bun + source", async (made) => [...await bun(), made.file(`${APP}/scanned.ts`)]);

test("Bun + bun build", async (made) => {
  const outfile = made.file("bun/listed.js");
  await run([...await bun(), "build", `${APP}/listed.ts`, "--target=bun", `--outfile=${outfile}`], {
    cwd: made.path,
  });
  return [...await bun(), outfile];
});

test("Bun + bun build --compile", async (made) => {
  const outfile = (await away).file("listed");
  await run([
    ...[...await bun(), "build", "--compile", "--minify", "--keep-names"],
    ...[`${APP}/listed.ts`, `--outfile=${outfile}`],
  ], { cwd: made.path });
  return [outfile];
});

test("Deno + npm package", (made) => [...DENO, made.file(`${APP}/scanned.ts`)]);

Deno.test("Deno + path import", async (t) => {
  await using sources = await Project.empty();
  await addApplications(sources, (name) => {
    const path = new Map<string, string>(Object.entries(manifest.exports)).get(name) ?? name;
    return new URL(path, REPOSITORY).href;
  });
  const config = fromFileUrl(new URL("deno.json", REPOSITORY));
  const command = [...DENO, "--config", config, sources.file(`${APP}/scanned.ts`)];
  await using server = await serving(command, sources.path, 2);
  await check(t, server.urls);
});

// The runtime itself serves an application that is exported.
test("Deno + deno serve", (made) => [
  ...[Deno.execPath(), "serve", "-A", "--no-lock", "--unstable-no-legacy-abort"],
  ...["--host=127.0.0.1", "--port=0"],
  made.file(`${APP}/conformance_worker.ts`),
], 1);
test("Bun + default export", async (made) => [
  ...["env", "BUN_PORT=0", ...await bun()],
  made.file(`${APP}/conformance_worker.ts`),
], 1);

test("workerd + sources", async (made) => {
  await made.write("workerd/sources.capnp", workerdConfig([await sourceWorker()], ""));
  return [await workerd(), "serve", made.file("workerd/sources.capnp"), "--control-fd=1"];
}, 1);

for (const flags of FLAGS) {
  const name = flags || "without flags";
  test(`workerd + ${name}`, async (made) => {
    const config = `workerd/${name.replace(" ", "-")}.capnp`;
    await made.write(config, workerdConfig(await workers(), flags));
    return [await workerd(), "serve", made.file(config), "--control-fd=1"];
  });

  test(`Miniflare + ${name}`, async (made) => {
    const module = toFileUrl(`${await edge}/node_modules/miniflare/dist/src/index.js`).href;
    const [command = ""] = await node(24);
    return [command, made.file(`${APP}/miniflare.mjs`), module, flags, ...await workers()];
  });
}

Deno.test.afterAll(async () => {
  for (const made of [project, away]) await (await made)[Symbol.asyncDispose]();
});

/** @param count at how many addresses it listens: the conformance application, and the users example */
function test(
  name: string,
  command: (project: Project) => Command | Promise<Command>,
  count: 1 | 2 = 2,
): void {
  Deno.test({
    name,
    // The preparation is shared, so it outlives the test that asked for it first.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn(t) {
      const made = await project;
      await using server = await serving(await command(made), made.path, count);
      await check(t, server.urls);
    },
  });
}

/** The conformance suite, and a walk through the users example. */
async function check(t: Deno.TestContext, [suite = "", users]: readonly string[]) {
  const { hostname, port } = new URL(suite);
  using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  // A bundle away from its packages has no `ws`, and a default export no WebSockets on Bun.
  if (!/esbuild|^Bun \+ default/.test(t.name)) {
    await t.step("a WebSocket", async () => {
      assertEquals(await socketConformance(suite), []);
      assertEquals(await unansweredCloseFrames(suite), []);
    });
  }
  if (users !== undefined) {
    await t.step("requests know of themselves alone", async () => {
      const kept = await (await fetch(`${users}/context/kept`)).text();
      if (t.name.endsWith("without flags")) {
        assertStringIncludes(kept, "the runtime has no AsyncLocalStorage");
      } else {
        assertEquals([kept, await contextConformance(users)], ["yes", []]);
        assertEquals(await (await fetch(`${users}/context/logged`)).json(), [
          "Cannot answer GET /fails (request r-1) user=7",
        ]);
      }
    });
  }
  for (
    const outcomes of [
      await conformance(t.name.startsWith("Miniflare") ? once(suite, client) : suite),
      await rawConformance(hostname, Number(port), /^(?:workerd|Miniflare) /.test(t.name)),
      ...(users === undefined ? [] : [await conformance(users, usersCases)]),
    ]
  ) {
    assert(outcomes.length > 5);
    const excepted = EXCEPTED[t.name] ?? EXCEPTED[t.name.split(" ")[0] ?? ""] ?? [];
    for (const { name, failures } of outcomes) {
      if (failures.length === 0 || excepted.includes(name)) continue;
      await t.step(name, () => assertEquals(failures, []));
    }
  }
}

/** Compiles the project by the TypeScript compiler, which checks it too. @returns where the applications are */
async function compile(): Promise<string> {
  const made = await project;
  await made.write(
    "tsconfig.json",
    JSON.stringify({
      compilerOptions: {
        target: "es2022",
        lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"],
        module: "nodenext",
        types: ["node"],
        strict: true,
        noUncheckedIndexedAccess: true,
        rewriteRelativeImportExtensions: true,
        rootDir: ".",
        outDir: "dist",
      },
      include: ["tests", "examples"],
    }),
  );
  await run([...await node(24), `${await tools}/node_modules/typescript/bin/tsc`, "-p", "."], {
    cwd: made.path,
  });
  await made.write(
    "dist/examples/users/config/application.yml",
    await Deno.readTextFile(made.file("examples/users/config/application.yml")),
  );
  return made.file(`dist/${APP}`);
}

/** Bundles one application by esbuild into a folder of its own. @returns the path of the bundle */
async function bundle(name: string, options: readonly string[]): Promise<string> {
  const made = await project;
  const outfile = made.file(`bundles/${name}.mjs`);
  await run([
    `${await tools}/node_modules/.bin/esbuild`,
    `${APP}/${name}.ts`,
    "--bundle",
    "--format=esm",
    "--target=es2022",
    "--log-level=warning",
    `--outfile=${outfile}`,
    ...options,
  ], { cwd: made.path });
  return outfile;
}

/**
 * Sends each request over a connection of its own: Miniflare closes one whose body was not read to the end without
 * saying so before.
 */
function once(base: string, client: Deno.HttpClient): (request: Request) => Promise<Response> {
  return (request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(`${base}${pathname}${search}`, request), { client });
  };
}

function workerdConfig(scripts: readonly string[], flags: string): string {
  const names = scripts.map((_, index) => `app${index}`);
  const list = (line: (name: string) => string) => names.map(line).join(",\n    ");
  const workers = names.map((name, index) => `
const ${name} :Workerd.Worker = (
  modules = [(name = "worker.mjs", esModule = embed "../${
    scripts[index]?.split("/").slice(-2).join("/")
  }")],
  compatibilityDate = "2025-09-01",
  compatibilityFlags = [${flags && `"${flags}"`}],
);`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ${list((name) => `(name = "${name}", worker = .${name})`)}
  ],
  sockets = [
    ${list((name) => `(name = "${name}", address = "127.0.0.1:0", http = (), service = "${name}")`)}
  ],
);
${workers.join("\n")}
`;
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => made ??= make();
}
