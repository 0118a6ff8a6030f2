/** The typed client of the example. On Node, Bun and Deno the tests of the example call every route by it. */
import { assertEquals } from "@std/assert";
import { build, stop } from "esbuild";
import { headersOf } from "../../examples/tracks/tests/callers.ts";
import { FOUND } from "../../examples/tracks/tests/every_route.ts";
import { startWithDatabase } from "../../examples/tracks/tests/with_database.ts";
import { CHROMIUM, CHROMIUM_SKIPPED, launchChromium } from "../chromium.ts";
import { postgresqlMissing } from "../migrations/sql/postgresql_support.ts";
import { checkContract } from "./check_contract.ts";

Deno.test("examples/tracks + has the contract that 'irori contract' writes", () =>
  checkContract("examples/tracks"));

Deno.test({
  name: `examples/tracks + a client calls every route from a browser (Chromium)${CHROMIUM_SKIPPED}`,
  ignore: !CHROMIUM || postgresqlMissing !== undefined,
  // Connections of the browser end a moment after it.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const { outputFiles } = await build({
      stdin: {
        contents: `import { callEveryRoute } from "./examples/tracks/tests/every_route.ts";
globalThis.callEveryRoute = callEveryRoute;`,
        resolveDir: ".",
      },
      alias: { "irori/client": "./src/features/client/mod.ts" },
      bundle: true,
      write: false,
      format: "iife",
    });
    await stop();
    await using tracks = await startWithDatabase();
    await tracks.reset();
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(`${tracks.url}/docs`);
      await page.evaluate(outputFiles[0]!.text);
      const args = ["", headersOf("user"), headersOf("admin")].map((one) => JSON.stringify(one));
      assertEquals(await page.evaluate(`callEveryRoute(${args})`), FOUND);
    } finally {
      await browser.close();
    }
  },
});
