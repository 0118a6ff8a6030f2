import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";

Deno.test("README.md + its commands migrate a new database from a checkout", async () => {
  const folder = await Deno.makeTempDir({ prefix: "irori-readme-" });
  const readme = await Deno.readTextFile("README.md");
  const [, block = ""] = /^```sh\n(irori=[^]*?)^```$/m.exec(readme) ?? [];
  const script = block.replaceAll("../my-shop", join(folder, "my-shop"));
  const { code, stdout, stderr } = await new Deno.Command("bash", {
    args: ["-e", "-c", script],
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const printed = new TextDecoder().decode(stdout);
  assertEquals(code, 0, new TextDecoder().decode(stderr) + printed);
  assertStringIncludes(printed, "CREATE TABLE orders");
  assertMatch(printed, /^main: up to date, 1 applied/m);
  assertMatch(printed, /^main: 1 applied\n {2}applied +001_orders\.sql/m);
  await Deno.remove(folder, { recursive: true });
});
