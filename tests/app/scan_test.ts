import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { type Application, bootstrap, ConfigError, MappingError, ScanError } from "../../mod.ts";

const root = fromFileUrl(new URL("./fixtures/service", import.meta.url));

Deno.test("component scan + registers exported components of the folders, each once", async () => {
  await using app = quietClose(await bootstrap({ root }));
  assertEquals([...app.context.beans.keys()].sort(), [
    "config",
    "greetingController",
    "greetingService",
    "nestedController",
  ]);
  assertEquals(await (await app.request("/greetings/Ada")).text(), "Hello Ada");
  assertEquals((await app.request("/outside")).status, 404);
  assertEquals((await app.request("/not-exported")).status, 404);
});

Deno.test("component scan + adds to the classes that are given", async () => {
  const { OutsideController } = await import("./fixtures/service/outside/outside_controller.ts");
  await using app = quietClose(
    await bootstrap({ root, components: [OutsideController], config: { greeting: "Salut" } }),
  );
  assertEquals((await app.request("/outside")).status, 204);
  assertEquals(await (await app.request("/greetings/Ada")).text(), "Salut Ada");
});

Deno.test("component scan + says which folder is missing, and where it was looked for", async () => {
  const error = await assertRejects(
    () => bootstrap({ root, config: { "component-scan": "./nowhere" } }),
    ConfigError,
  );
  assertStringIncludes(error.message, "component-scan");
  assertStringIncludes(error.message, join(root, "nowhere"));
});

Deno.test("component scan + says which module cannot be imported, and why", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "broken.ts");
    await Deno.writeTextFile(path, 'throw new Error("broken on purpose");\n');
    const error = await assertRejects(
      () => bootstrap({ root, config: { "component-scan": folder } }),
      ScanError,
    );
    assertEquals(error.path, path);
    assertEquals(
      error.message,
      `Cannot import '${path}' for the component scan: broken on purpose`,
    );
    assert(error.cause instanceof Error);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("component scan + refuses a class with mappings that is no controller, but no base class", async () => {
  const folder = await Deno.makeTempDir();
  const library = new URL("../../mod.ts", import.meta.url).href;
  const write = (decorator: string) =>
    Deno.writeTextFile(
      join(folder, `${decorator || "none"}.ts`),
      `import { GetMapping, RestController } from "${library}";
export class Base { @GetMapping("/base${decorator}") base() {} }
${decorator} export class Page${decorator ? " extends Base" : ""} {}`,
    );
  try {
    await write("@RestController()");
    await using _ = await bootstrap({ root, config: { "component-scan": folder } });
    await write("");
    const error = await assertRejects(
      () => bootstrap({ root, config: { "component-scan": folder } }),
      MappingError,
    );
    assertEquals(
      error.message,
      "Cannot map 'Base': 'base' has a mapping, but the class has no @RestController()",
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("component scan + refuses forgotten advices, and classes of errors whose status is none", async () => {
  const library = new URL("../../mod.ts", import.meta.url).href;
  const sources = [
    [
      "export class Errors { @ExceptionHandler(Error) all() {} }",
      "Cannot map 'Errors': 'all' handles errors, but the class has no @ControllerAdvice() or @RestController()",
    ],
    [
      "export class Odd extends Error { static [STATUS] = HttpStatus.OK; }",
      "Cannot use the [STATUS] of 'Odd': expected an HttpStatus from 400 to 599, found '200'",
    ],
  ];
  for (const [source, message] of sources) {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(
        join(folder, "errors.ts"),
        `import { ExceptionHandler, HttpStatus, STATUS } from "${library}";\n${source}`,
      );
      const config = { "component-scan": folder };
      await assertRejects(() => bootstrap({ root, config }), MappingError, message);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  }
});

Deno.test("component scan + leaves out tests, declarations, hidden folders and node_modules", async () => {
  const folder = await Deno.makeTempDir();
  const broken = ["a_test.ts", "a.test.ts", "a.spec.js", "a_bench.ts", "a.d.ts", ".hidden/a.ts"];
  try {
    await Deno.mkdir(join(folder, "node_modules/b"), { recursive: true });
    await Deno.mkdir(join(folder, ".hidden"));
    for (const name of [...broken, "node_modules/b/a.ts", "notes.txt"]) {
      await Deno.writeTextFile(join(folder, name), 'throw new Error("imported");\n');
    }
    await using app = await bootstrap({ root, config: { "component-scan": folder } });
    assertEquals(app.routeTable, []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("component scan + does not wait for the file that awaits bootstrap() in a scanned folder", async () => {
  const folder = await Deno.makeTempDir({ prefix: "irori scan-" });
  const library = new URL("../../mod.ts", import.meta.url).href;
  const manifest = fromFileUrl(new URL("../../deno.json", import.meta.url));
  const files = {
    "application.yml": "component-scan: .\n",
    "main.ts": 'import { app } from "./app.ts";\nconsole.log(app.routeTable.length);\n',
    "app.ts": `import { bootstrap } from "${library}";
export const app = await bootstrap({ root: import.meta.dirname });
`,
    "api.ts": `import { GetMapping, RestController } from "${library}";
@RestController()
export class Api {
  @GetMapping("/")
  get() {}
}
`,
  };
  try {
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(folder, name), text);
    }
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", "--config", manifest, join(folder, "main.ts")],
      signal: AbortSignal.timeout(60_000),
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    assertEquals([code, text(stdout)], [0, "1\n"], text(stderr));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** The beans of the fixture say that they are closed, which is for another test. */
function quietClose(app: Application): AsyncDisposable & Pick<Application, "context" | "request"> {
  return {
    ...app,
    async [Symbol.asyncDispose]() {
      const { log } = console;
      console.log = () => {};
      await app.close();
      console.log = log;
    },
  };
}
