import { assert, assertEquals } from "@std/assert";
import { join, toFileUrl } from "@std/path";
import fc from "fast-check";
import { bootstrap } from "@irori/irori";
import { client } from "@irori/irori/client";
import { contractModule, contractOf, openApiDocument } from "@irori/irori/openapi";
import { depth } from "../../long/mod.ts";
import { installed } from "../../../tools/_npm.ts";
import { Draw, generateApplication } from "./applications.ts";

const APPLICATIONS = depth(3, 100);
const CLIENT = import.meta.resolve("../../../src/features/client/mod.ts");

Deno.test("client() and a generated client + send what the document describes", async () => {
  const { createClient, writeTypes } = await generatedClient();
  const folder = await Deno.makeTempDir();
  let count = 0;
  const checks: string[] = [];
  try {
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (gen) => {
        const draw = new Draw(gen);
        const { controller, bodies, fields } = generateApplication(draw);
        await using app = await bootstrap({ components: [controller] });
        const fetch = async (request: Request) => await app.fetch(request);
        const { generated: own } = client("http://a", contractOf(app.routeTable), { fetch });
        const other = createClient({ baseUrl: "http://a", fetch });
        const file = String(count++).padStart(3, "0");
        const document = openApiDocument(app.routeTable, { title: "", version: "" });
        const uses: string[] = [];
        for (const [index, make] of bodies.entries()) {
          const body = make(0);
          const headers = { "Content-Type": "application/json" };
          const init = { method: "POST", headers, body: JSON.stringify(body) };
          const expected = await (await app.request(`/t${index}`, init)).json();
          assertEquals(await own![`t${index}`]!({ body }), expected);
          assertEquals((await other.POST(`/t${index}`, { body })).data, expected);
          const text = JSON.stringify(body);
          uses.push(
            `() => api.t${index}({ body: ${text} });`,
            `(${text}) satisfies paths["/t${index}"]["post"]["requestBody"]["content"]["application/json"];`,
          );
        }
        const sent = Object.fromEntries(fields.flatMap(({ name, isList, text }) => {
          const values = (isList ? [text(), text()].slice(draw.below(2)) : [text()])
            .map((one) => /^\d+$/.test(one) ? Number(one) : one);
          return [[name, isList ? values : values[0]]];
        }));
        const pairs = new URLSearchParams(
          Object.entries(sent).flatMap(([name, value]) =>
            [value].flat().map((one) => [name, String(one)])
          ),
        );
        const expected = await (await app.request(`/query?${pairs}`)).json();
        assertEquals(await own!.query!(sent), expected);
        assertEquals((await other.GET("/query", { params: { query: sent } })).data, expected);
        assertEquals(await own!.form!({ form: sent }), expected);
        const form = {
          body: sent,
          bodySerializer: () => pairs,
          headers: { "Content-Type": "application/x-www-form-urlencoded" },
        };
        assertEquals((await other.POST("/form", form)).data, expected);
        const text = JSON.stringify(sent);
        uses.push(
          `() => api.query(${text});`,
          `() => api.form({ form: ${text} });`,
          `(${text}) satisfies paths["/query"]["get"]["parameters"]["query"];`,
        );
        await Deno.writeTextFile(
          join(folder, `contract${file}.ts`),
          contractModule(app.routeTable),
        );
        await Deno.writeTextFile(join(folder, `paths${file}.json`), JSON.stringify(document));
        await Deno.writeTextFile(
          join(folder, `use${file}.ts`),
          [
            `import { client } from ${JSON.stringify(CLIENT)};`,
            `import { contract } from "./contract${file}.ts";`,
            `import type { paths } from "./paths${file}.ts";`,
            'const { generated: api } = client("http://a", contract);',
            ...uses,
          ].join("\n"),
        );
        checks.push(join(folder, `use${file}.ts`));
      }),
      { numRuns: APPLICATIONS, seed: 53, endOnFailure: true },
    );
    assertEquals(count, APPLICATIONS);
    await writeTypes(folder);
    const config = new URL("../../../deno.json", import.meta.url);
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", "--config", config.pathname, ...checks],
      env: { NO_COLOR: "1" },
    }).output();
    assert(success, new TextDecoder().decode(stderr));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

interface Generated {
  createClient(options: object): Record<"GET" | "POST", Call>;
  /** Writes the types of each document of a folder beside it. */
  writeTypes(folder: string): Promise<void>;
}

type Call = (path: string, options: object) => Promise<{ readonly data?: unknown }>;

/** The types of openapi-typescript, and the client of openapi-fetch. */
async function generatedClient(): Promise<Generated> {
  const packages = await installed("openapi-typescript", [
    "openapi-typescript@7.13.0",
    "openapi-fetch@0.17.0",
    "typescript@5",
  ]);
  const load = (path: string) => import(toFileUrl(join(packages, "node_modules", path)).href);
  const { default: createClient } = await load("openapi-fetch/dist/index.mjs");
  const writeTypes = async (folder: string) => {
    const { success, stderr } = await new Deno.Command("node", {
      args: ["--input-type=module", "--eval", WRITE_TYPES, folder],
      cwd: packages,
    }).output();
    assert(success, new TextDecoder().decode(stderr));
  };
  return { createClient, writeTypes };
}

const WRITE_TYPES = `
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import generate, { astToString } from "openapi-typescript";
const folder = process.argv[1];
for (const name of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
  const text = readFileSync(folder + "/" + name, "utf8");
  const types = await generate(text, { defaultNonNullable: false });
  writeFileSync(folder + "/" + name.replace("json", "ts"), astToString(types));
}`;
