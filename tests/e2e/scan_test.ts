import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { toFileUrl } from "@std/path";
import { bootstrap } from "../../mod.ts";
import { irori, type Workspace, workspace } from "./command_line.ts";

const LIBRARY = new URL("../../mod.ts", import.meta.url).href;
const GENERATED = "components.gen.ts";

const CONTROLLER = `
import { GetMapping, RestController, Value } from "${LIBRARY}";

@RestController()
export class GreetingController {
  @Value("\${greeting.text}") readonly text!: string;
  @Value("\${greeting.zip}") readonly zip!: string;
  @GetMapping("/greeting")
  greet() {
    return this.text + " " + this.zip;
  }
}
`;

const SERVICE = (name: string) => `
import { Service } from "${LIBRARY}";
throw new Error("Was run");
@Service()
export class ${name} {}
`;

async function project(files: Record<string, string> = {}): Promise<Workspace> {
  return await workspace({
    "config/application.yml":
      'component-scan: [./controllers, "${FOLDER:services}"]\ngreeting:\n  text: ${GREETING:Hello}\n  zip: 007\n',
    "controllers/greeting_controller.ts": CONTROLLER,
    "services/.keep": "",
    ...files,
  });
}

Deno.test("cli scan + writes what bootstrap() takes, placeholders unresolved", async () => {
  await using space = await project();
  const { code, stdout } = await space.run("scan");
  assertEquals([code, stdout], [0, `${space.path}/${GENERATED}: 1 component, written\n`]);
  const { components, config } = await import(toFileUrl(`${space.path}/${GENERATED}`).href);
  assertEquals(config, { greeting: { text: "${GREETING:Hello}", zip: "007" } });

  await using app = await bootstrap({ components, config, env: { GREETING: "Salut", KV: {} } });
  assertEquals(await (await app.request("/greeting")).text(), "Salut 007");
  await using other = await bootstrap({ components, config, env: {} });
  assertEquals(await (await other.request("/greeting")).text(), "Hello 007");
});

Deno.test("cli scan + is sorted and stable, runs no module, and tells two of one name apart", async () => {
  await using space = await project({
    "services/b.ts": SERVICE("Clock"),
    "services/a.ts": SERVICE("Clock"),
    "services/config.ts": SERVICE("config"),
    "services/user-store.ts": SERVICE("").replace("export class", "export default class"),
    "services/clock_test.ts": SERVICE("Tested"),
    "services/helper.ts": "export const helper = 1;\n",
  });
  assertEquals((await space.run("scan")).code, 0);
  const text = await Deno.readTextFile(`${space.path}/${GENERATED}`);
  assertEquals(text.split("\n").filter((line) => line.startsWith("import")), [
    'import { GreetingController } from "./controllers/greeting_controller.ts";',
    'import { Clock } from "./services/a.ts";',
    'import { Clock as Clock_2 } from "./services/b.ts";',
    'import { config as config_2 } from "./services/config.ts";',
    'import { default as UserStore } from "./services/user-store.ts";',
  ]);
  assertStringIncludes(text, "Written by 'irori scan'");
  assertMatch((await space.run("scan")).stdout, /5 components, up to date/);
  assertEquals(await Deno.readTextFile(`${space.path}/${GENERATED}`), text);
});

Deno.test("cli scan + --check exits with 4 when the file is stale, and writes nothing", async () => {
  await using space = await project();
  const missing = await space.run("scan", "--check");
  assertEquals(missing.code, 4);
  assertMatch(missing.stdout, /stale: 'irori scan' writes it/);
  assertEquals(await exists(space), false);

  await space.run("scan");
  assertEquals((await space.run("scan", "--check")).code, 0);
  const text = await Deno.readTextFile(`${space.path}/${GENERATED}`);
  await space.write(GENERATED, text.replaceAll("\n", "\r\n"));
  assertEquals((await space.run("scan", "--check")).code, 0);
  await space.write("services/clock.ts", SERVICE("Clock"));
  const added = await space.run("scan", "--check", "--json");
  assertEquals([added.code, JSON.parse(added.stdout).stale], [4, true]);
  await space.remove("services/clock.ts");
  assertEquals((await space.run("scan", "--check")).code, 0);
  await space.write("config/application.yml", "component-scan: ./controllers\ngreeting: {}\n");
  assertEquals((await space.run("scan", "--check")).code, 4);
});

Deno.test("cli scan + leaves itself out where the root is scanned", async () => {
  await using space = await project({
    "config/application.yml": "component-scan: .\n",
    "worker.ts": `import { components } from "./${GENERATED}";\nawait bootstrap({ components });\n`,
  });
  await space.run("scan");
  assertMatch((await space.run("scan")).stdout, /1 component, up to date/);
});

Deno.test("cli scan + says what it cannot scan, and where", async () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ "config/application.yml": "server: { port: 1 }\n" }, /'component-scan': expected/],
    [{ "config/application.yml": "component-scan: ./nowhere\n" }, /yml:1.*nowhere'/],
    [{ "controllers/broken.ts": "export class {\n" }, /Cannot parse '.*broken\.ts'/],
  ];
  for (const [files, message] of cases) {
    await using space = await project(files);
    const { code, stderr } = await space.run("scan");
    assertEquals(code, 2);
    assertMatch(stderr, message);
    assertEquals(/^\s+at /m.test(stderr), false, stderr);
    assertEquals(await exists(space), false);
  }
});

Deno.test("cli scan + --help shows how the file is used", async () => {
  const { code, stdout } = await irori(["scan", "--help"]);
  assertEquals(code, 0);
  for (const part of ["--check", "Examples:", "bootstrap({ components, config, env })"]) {
    assertStringIncludes(stdout, part);
  }
});

async function exists(space: Workspace): Promise<boolean> {
  return await Deno.stat(`${space.path}/${GENERATED}`).then(
    () => true,
    () => false,
  );
}

Deno.test("cli scan + says so where there are no components, as in compiled output", async () => {
  await using space = await workspace({
    "config/application.yml": "component-scan: ./dist\n",
    "dist/a.js": "let A = class {};\n__decorate([RestController()], A);\nexport { A };\n",
  });
  const { code, stdout, stderr } = await space.run("scan");
  assertEquals([code, stdout], [2, ""]);
  assertMatch(
    stderr,
    /application\.yml:1: 'component-scan': expected exported classes .* source folders/,
  );
  assertEquals(await Deno.stat(`${space.path}/${GENERATED}`).then(() => true, () => false), false);
});
