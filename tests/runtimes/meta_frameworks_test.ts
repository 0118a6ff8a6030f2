/** The routes of the guide in frameworks that render pages, as npm installs these. */
import { assertEquals } from "@std/assert";
import { type Command, node, run } from "./executables.ts";
import { takeGuide } from "./guide.ts";
import { Project, testsOn } from "./project.ts";
import { serving } from "./serving.ts";

/** How a framework builds, and starts what it has built. */
interface Framework {
  readonly build: Command;
  readonly start: string;
  readonly env?: Readonly<Record<string, string>>;
}

const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  Nitro: { build: ["nitropack/dist/cli/index.mjs", "build"], start: ".output/server/index.mjs" },
  Astro: { build: ["astro/bin/astro.mjs", "build"], start: "dist/server/entry.mjs" },
  SvelteKit: { build: ["vite/bin/vite.js", "build"], start: "build/index.js" },
};

const PAGES = {
  "src/pages/index.astro": "<h1>page</h1>\n",
  "src/routes/+page.svelte": "<h1>page</h1>\n",
  "src/app.html": "<!doctype html><head>%sveltekit.head%</head><body>%sveltekit.body%</body>\n",
  "tsconfig.json": '{ "compilerOptions": { "target": "es2022" } }\n',
};

const project = Project.fromTarball(
  ...["hono@4", "esbuild@0.28", "nitropack@2", "h3@1", "astro@7", "@astrojs/node@11"],
  ...["@sveltejs/kit@3", "@sveltejs/adapter-node@6", "@sveltejs/vite-plugin-svelte@7", "svelte@5"],
  "vite@8",
).then(async (made) => {
  await takeGuide("serverless.md", made);
  await made.remove("api"); // Nitro would take the functions of Vercel for its own routes.
  for (const [path, text] of Object.entries(PAGES)) await made.write(path, text);
  return made;
});
const test = testsOn("meta-frameworks", project);

for (const [name, { build, start }] of Object.entries(FRAMEWORKS)) {
  test(`${name} answers below /api by the application: Node 24`, async (made) => {
    const [script = "", ...args] = build;
    const env = { ASTRO_TELEMETRY_DISABLED: "1", HOST: "127.0.0.1", PORT: "0" };
    const command = [...await node(24), made.file(`node_modules/${script}`), ...args];
    await run(["timeout", "300", ...command], { cwd: made.path, env });
    const assignments = Object.entries(env).map(([key, value]) => `${key}=${value}`);
    const started = ["env", ...assignments, ...await node(24), start];
    await using served = await serving(started, made.path, 1);
    const [url] = served.urls;
    const found = await fetch(`${url}/api/notes/7`);
    assertEquals(await found.json(), { id: 7, text: "Buy milk" });
    const missing = await fetch(`${url}/api/none`);
    assertEquals((await missing.json()).detail, "No resource at '/api/none'");
  });
}
