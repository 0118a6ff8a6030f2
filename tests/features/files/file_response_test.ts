import { assertEquals, assertGreater } from "@std/assert";
import { bootstrap } from "../../../mod.ts";
import { filesController } from "../../runtimes/app/files_controller.ts";
import { CASES, NOT_SERVED } from "./cases.ts";
import { makeFolder } from "./folder.ts";
import { runCases } from "./run_cases.ts";

Deno.test("fileResponse() + answers the table of RFC 9110, 13 and 14, in process", async () => {
  assertGreater(CASES.length, 120);
  assertEquals(new Set(CASES.map(({ name }) => name)).size, CASES.length);
  await using folder = await makeFolder();
  await using app = await bootstrap({ components: [filesController(folder.root)] });
  assertEquals(await runCases(app.fetch), []);
});

Deno.test("fileResponse() + serves none of the hostile paths", async () => {
  await using folder = await makeFolder();
  await using app = await bootstrap({ components: [filesController(folder.root)] });
  for (const path of NOT_SERVED) {
    const response = await app.request(path);
    const text = await response.text();
    assertEquals([path, response.status], [path, /%(?:c0|e0)/.test(path) ? 400 : 404]);
    assertEquals([path, /secret|root:/.test(text)], [path, false]);
  }
});
