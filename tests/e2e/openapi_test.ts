import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join, toFileUrl } from "@std/path";
import { irori, workspace } from "./command_line.ts";

const LIBRARY = new URL("../../mod.ts", import.meta.url).href;
const USERS = fromFileUrl(new URL("../../examples/users/config", import.meta.url));

Deno.test("cli openapi + prints the document of the users example, without a database", async () => {
  const { code, stdout } = await irori(["openapi", "-c", USERS]);
  assertEquals(code, 0);
  const { openapi, info, paths } = JSON.parse(stdout);
  assertEquals([openapi, info.title], ["3.1.0", "Users"]);
  assertEquals(Object.keys(paths).sort(), ["/users", "/users/search", "/users/{id}"]);
});

Deno.test("cli contract + prints a module that compiles, and data with --json", async () => {
  await using space = await workspace({});
  const module = await irori(["contract", "-c", USERS]);
  assertEquals(module.code, 0);
  const path = join(space.path, "contract.ts");
  await Deno.writeTextFile(path, module.stdout);
  const { contract } = await import(toFileUrl(path).href);
  assertEquals(contract.UserController.get, {
    method: "GET",
    path: "/users/{id}",
    parameters: [{ in: "path", name: "id" }],
  });
  const { stdout } = await irori(["contract", "-c", USERS, "--json"]);
  assertEquals(JSON.parse(stdout), contract);
});

Deno.test("cli openapi + names the handler that cannot work", async () => {
  await using space = await workspace({
    "config/application.yml": "component-scan: ./controllers\n",
    "controllers/broken.ts": `
import { GetMapping, RestController } from "${LIBRARY}";
@RestController()
export class BrokenController {
  @GetMapping("/things/{id")
  get() {}
}
`,
  });
  const { code, stdout, stderr } = await space.run("openapi");
  assertEquals([code, stdout], [2, ""]);
  assertMatch(stderr, /^error: Cannot read the path '\/things\/{id'.*'BrokenController\.get'\)\n$/);
});

Deno.test("cli openapi + says so where nothing is scanned", async () => {
  await using space = await workspace({ "config/application.yml": "server: { port: 0 }\n" });
  const { code, stderr } = await space.run("openapi");
  assertEquals(code, 2);
  assertStringIncludes(stderr, "component-scan");
});

Deno.test("cli openapi + says so where there are no controllers", async () => {
  await using space = await workspace({
    "config/application.yml": "component-scan: ./controllers\n",
    "controllers/empty.ts": "export class Forgotten {}",
  });
  const { code, stdout, stderr } = await space.run("openapi");
  assertEquals([code, stdout], [2, ""]);
  assertMatch(stderr, /application\.yml:1: .*expected controllers, found none/);
});
