/** The service of the guide, with the official clients. */
import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { blocksOf } from "../../../tools/docs/blocks.ts";
import { IS_ALL } from "../../long/mod.ts";
import { DENO, run } from "../../runtimes/executables.ts";
import { fragmentOf } from "../../runtimes/guide.ts";
import { Project } from "../../runtimes/project.ts";
import { clusterTest, ELASTICSEARCH_9, PLAIN } from "../../servers/real.ts";

/** The compiler takes most of the time. */
const CHECKED = IS_ALL ? ["--check"] : [];

const PAGE = "docs/guide/search-queries.md";
const CONFIG = ["--config", fromFileUrl(new URL("../../../deno.json", import.meta.url))];

const RUN = `import { app } from "./main.ts";

const put = (sku: string, name: string) =>
  app.request("/products/" + sku, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ sku, name, price: 7 }),
  });
const bodyOf = async (path: string) => await (await app.request(path)).json();
const statuses = [await put("a-1", "green tea"), await put("a-2", "black tea"), await put("b", "x")];
const { content, page } = await bodyOf("/products?q=tea&size=1&page=2");
console.log(JSON.stringify([
  statuses.map(({ status }) => status),
  content,
  page.totalElements,
  (await app.request("/products?q=tea&page=101&size=100")).status,
  (await bodyOf("/actuator/health")).status,
]));
await app.close();
`;

clusterTest(PLAIN, "search-queries.md + indexes, searches and pages", async ({ url }) => {
  const index = `products-${crypto.randomUUID().slice(0, 8)}`;
  const ofTest = (code: string) => code.replaceAll('"products', `"${index}`);
  await using project = await Project.empty();
  const blocks = blocksOf(await Deno.readTextFile(PAGE), PAGE);
  const [mapping, config] = ["json", "yaml"].map((name) =>
    blocks.find(({ language }) => language === name)!.code
  );
  const files = {
    [`migrations/shop/${index}-index.json`]: ofTest(mapping!),
    "config/application.yml": config!,
    "src/main.ts": fragmentOf("search-queries.md", "searchHealth()"),
    "src/products.ts": ofTest(fragmentOf("search-queries.md", "class ProductController"))
      .replace('"@opensearch-project/opensearch"', '"npm:@opensearch-project/opensearch@^3.9.0"'),
    "src/run.ts": RUN,
  };
  for (const [path, text] of Object.entries(files)) await project.write(path, text);
  try {
    const printed = await run([...DENO, ...CHECKED, ...CONFIG, "src/run.ts"], {
      cwd: project.path,
      env: { SEARCH_URL: url },
    });
    assertEquals(JSON.parse(printed.trim().split("\n").at(-1)!), [
      [204, 204, 204],
      [{ sku: "a-2", name: "black tea", price: 7 }],
      2,
      400,
      "UP",
    ]);
  } finally {
    await (await fetch(`${url}/${index}-*`, { method: "DELETE" })).body?.cancel();
  }
});

clusterTest(
  ELASTICSEARCH_9,
  "search-queries.md + searches by the client of Elastic",
  async ({ url }) => {
    const index = `products-${crypto.randomUUID().slice(0, 8)}`;
    await using project = await Project.empty();
    const client = '"npm:@elastic/elasticsearch@^9.5.0"';
    await project.write(
      "search.ts",
      fragmentOf("search-queries.md", "@elastic/elasticsearch")
        .replace('"@elastic/elasticsearch"', client)
        .replace('"products"', `"${index}"`),
    );
    await project.write(
      "run.ts",
      `import { Client } from ${client};
import { search } from "./search.ts";

const client = new Client({ node: "${url}" });
const mappings = { properties: { sku: { type: "keyword" } } } as const;
await client.indices.create({ index: "${index}", mappings });
const document = { sku: "a-1", name: "green tea" };
await client.index({ index: "${index}", id: "1", document, refresh: "wait_for" });
console.log(JSON.stringify(await search(client, "tea")));
await client.indices.delete({ index: "${index}" });
await client.close();
`,
    );
    const printed = await run([...DENO, ...CHECKED, ...CONFIG, "run.ts"], { cwd: project.path });
    assertEquals(JSON.parse(printed), [{ sku: "a-1", name: "green tea" }]);
  },
);
