/** `irori build`, from the npm package. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { toFileUrl } from "@std/path";
import * as leftOut from "../../src/app/_left_out.ts";
import { PARTS } from "../../tools/build_npm.ts";
import { bun, type Command, DENO, node, run, tsx } from "./executables.ts";
import { Project, testsOn } from "./project.ts";

const HELLO = `import { GetMapping, PathVariable, RestController } from "irori";

@RestController()
export class HelloController {
  @GetMapping("/hello/{name}", PathVariable("name"))
  hello(name: string) {
    return { message: "Hello " + name };
  }
}
`;

/** As tsc writes a class with a decorator. */
const COMPILED = `import { Component } from "irori";
export let ErrorController = (() => {
  const decorators = [Component()];
  var ErrorController = class {
    handleError(_request, response, status) { response.withStatusCode(status.value).withJson({ own: status.value }); }
  };
  const metadata = {};
  decorators[0](ErrorController, { kind: "class", name: ErrorController.name, metadata, addInitializer() {} });
  Object.defineProperty(ErrorController, Symbol.metadata, { value: metadata });
  return ErrorController;
})();
`;

/** Each hides from the command that it uses a part. */
const HIDDEN: Readonly<Record<string, { readonly app: string; readonly message: string }>> = {
  configuration: {
    app: `await bootstrap({ components: [HelloController], ["con" + "fig"]: { greeting: 1 } });`,
    message: "Cannot use 'greeting': 'irori build' has left out the part 'configuration'",
  },
  proxies: {
    app:
      `await bootstrap({ components: [HelloController], config: { ["server.trusted" + "-proxies"]: "10.0.0.1" } });`,
    message: "Cannot use 'server.trusted-proxies': 'irori build' has left out the part 'proxies'",
  },
  schemas: {
    app: `class Other { get(name) { return name; } }
const schema = { ["~stan" + "dard"]: { version: 1, vendor: "own", validate: (value) => ({ value }) } };
GetMapping("/other/{name}", PathVariable("name", schema));
await bootstrap({ components: [HelloController] });`,
    message: "Cannot use a schema: 'irori build' has left out the part 'schemas'",
  },
  versions: {
    app:
      `await bootstrap({ components: [HelloController], config: { ["server.api-ver" + "sion.header"]: "X-Api" } });`,
    message: "Cannot use a version of the API: 'irori build' has left out the part 'versions'",
  },
  xml: {
    app: `const app = await bootstrap({ components: [HelloController] });
ResponseEntity.ok()["withX" + "ml"]({ a: 1 }).toResponse();
app;`,
    message: "Cannot use XML: 'irori build' has left out the part 'xml'",
  },
};

const project = Project.equipped().then(async (made) => {
  await made.write("hello.ts", HELLO);
  await made.write(
    "worker.ts",
    `import { bootstrap } from "irori/edge";
import { HelloController } from "./hello.ts";
export default await bootstrap({ components: [HelloController] });
`,
  );
  await made.write(
    "main.ts",
    `import { bootstrap, Component } from "irori";
import { HelloController } from "./hello.ts";
@Component()
class ErrorController {
  handleError(_request, response, status) { response.withStatusCode(status.value).withJson({ own: status.value }); }
}
const app = await bootstrap({ components: [HelloController, ErrorController], config: { server: { port: 0, address: "127.0.0.1" } } });
const server = await app.listen();
for (const path of ["/hello/Ada", "/none"]) {
  console.log(await (await fetch("http://127.0.0.1:" + server.port + path)).text());
}
await app.close();
`,
  );
  return made;
});
const test = testsOn("irori build", project);

test("leaves out what an application does not mention; the smaller bundle answers", async (made) => {
  const whole = await built(made, "worker.ts", "--dry-run", "--with", Object.keys(HIDDEN).join());
  assertEquals(whole.leftOut, []);
  assertEquals(whole.written, false);
  const small = await built(made, "worker.ts");
  assertEquals(small.leftOut, Object.keys(HIDDEN));
  assert(small.gzipped < 0.82 * whole.gzipped, `${small.gzipped} of ${whole.gzipped}`);
  const script = `import app from ${JSON.stringify(toFileUrl(small.file).href)};
const answers = [];
for (const path of ["/hello/Ada", "/hello/Ada%20B", "/none"]) answers.push(await (await app.request(path)).json());
console.log(JSON.stringify(answers));`;
  await made.write("drive.mjs", script);
  const [ada, encoded, none] = JSON.parse(
    await run([...DENO, made.file("drive.mjs")], { cwd: "." }),
  );
  assertEquals([ada, encoded], [{ message: "Hello Ada" }, { message: "Hello Ada B" }]);
  assertEquals(none.status, 404);
});

for (const [part, { app, message }] of Object.entries(HIDDEN)) {
  test(`a hidden use of '${part}' fails with its name, and --with keeps the part`, async (made) => {
    const entry = `hidden_${part}.ts`;
    await made.write(
      entry,
      `import { bootstrap } from "irori/edge";
import { GetMapping, PathVariable, ResponseEntity } from "irori";
import { HelloController } from "./hello.ts";
${app}
console.log("started");
`,
    );
    const { file, leftOut } = await built(made, entry);
    assert(leftOut.includes(part));
    const error = await assertRejects(() => run([...DENO, file], { cwd: "." }), Error);
    assertStringIncludes(error.message, `${message}; add --with ${part}`);
    const kept = await built(made, entry, "--with", part);
    assertEquals(await run([...DENO, kept.file], { cwd: "." }), "started\n");
  });
}

test("keeps the names of classes that another compiler has compiled", async (made) => {
  await made.write("compiled/error.js", COMPILED);
  await made.write(
    "compiled/main.ts",
    `import { bootstrap } from "irori";
import { ErrorController } from "./error.js";
const app = await bootstrap({ components: [ErrorController] });
console.log(await (await app.request("/none")).text());
`,
  );
  const { file } = await built(made, "compiled/main.ts", "--target", "node");
  assertEquals(await run([...await node(22), file], { cwd: "." }), '{"own":404}\n');
});

test("does not replace a module by the bundle that is made of it", async (made) => {
  await made.write("dist/worker.mjs", "export { default } from '../worker.ts';");
  await made.write("dist/entry.js", "export { default } from './worker.mjs';");
  const error = await assertRejects(() => built(made, "dist/entry.js"), Error);
  assertStringIncludes(error.message, "entry.js: it is part of the bundle");
  assertEquals(await read(made, "dist/entry.js"), "export { default } from './worker.mjs';");
});

test("refuses an environment where it has left out the configuration", async (made) => {
  await made.write(
    "hidden_env.ts",
    `import { bootstrap } from "irori/edge";
import { HelloController } from "./hello.ts";
await bootstrap({ components: [HelloController], ["e" + "nv"]: { LOGGING_LEVEL: "DEBUG" } });
`,
  );
  const { file } = await built(made, "hidden_env.ts");
  const error = await assertRejects(() => run([...DENO, file], { cwd: "." }), Error);
  assertStringIncludes(error.message, "Cannot use 'env': 'irori build' has left out the part");
});

test("request.clientAddress is the peer although no proxy is trusted", async (made) => {
  await made.write(
    "address.ts",
    `import { GetMapping, RestController } from "irori";
import { bootstrap } from "irori/edge";
@RestController()
class AddressController {
  @GetMapping("/")
  get(request) { return { address: request.clientAddress }; }
}
Object.defineProperty(globalThis, "navigator", { value: { userAgent: "Cloudflare-Workers" } });
const app = await bootstrap({ components: [AddressController] });
for (const address of ["9.9.9.9", "2001:DB8:0::1", "::ffff:9.9.9.9"]) {
  console.log((await (await app.request("/", { headers: { "cf-connecting-ip": address } })).json()).address);
}
`,
  );
  const { file, leftOut } = await built(made, "address.ts");
  assert(leftOut.includes("proxies"));
  assertEquals(await run([...DENO, file], { cwd: "." }), "9.9.9.9\n2001:db8::1\n9.9.9.9\n");
});

/** Modules whose parts the command has to find, and what it is called with. */
const FOUND: Readonly<
  Record<string, {
    readonly files: Readonly<Record<string, string>>;
    readonly args: readonly string[];
    readonly parts: readonly string[];
  }>
> = {
  "an entry without its extension": {
    files: { "bare.ts": 'export default "xml";' },
    args: ["./bare"],
    parts: ["xml"],
  },
  "an entry in a folder above": {
    files: { "above.ts": 'export default "xml";', "below/empty.ts": "" },
    args: ["below/../above.ts"],
    parts: ["xml"],
  },
  "JSON": {
    files: {
      "json.ts": 'export { default } from "./settings.json";',
      "settings.json": '{ "server.trusted-proxies": "10.0.0.1" }',
    },
    args: ["json.ts"],
    parts: ["proxies"],
  },
  "a module in a data URL": {
    files: { "data.ts": 'export { default } from "data:text/javascript,export default `xml`";' },
    args: ["data.ts"],
    parts: ["xml"],
  },
  "a module with a query": {
    files: {
      "query.ts": 'export { default } from "./types.ts?v=1";',
      "types.ts": 'export default "xml";',
    },
    args: ["query.ts"],
    parts: ["xml"],
  },
  "a package that does not import the library": {
    files: {
      "package.ts": 'export { TYPE } from "media-types-test";',
      "node_modules/media-types-test/index.js":
        'export const TYPE = "application/xml", version = 1;',
    },
    args: ["package.ts"],
    parts: ["xml"],
  },
  "an external package": {
    files: { "external.ts": 'export { z } from "zod";\nexport { env } from "cloudflare:workers";' },
    args: ["external.ts", "--external", "zod"],
    parts: ["configuration", "schemas", "xml"],
  },
  "a deprecated route": {
    files: { "deprecated.ts": 'export const mapping = { deprecated: { since: "2026-01-31" } };' },
    args: ["deprecated.ts"],
    parts: ["versions"],
  },
  "external modules of the runtime": {
    files: {
      "modules.ts":
        'export * from "cloudflare:sockets";\nexport { Buffer } from "node:buffer";\nexport { GetMapping } from "irori";',
    },
    args: ["modules.ts"],
    parts: [],
  },
  "a variable 'value'": {
    files: { "value.ts": "export const double = (value: number) => 2 * value;" },
    args: ["value.ts"],
    parts: [],
  },
};

for (const [what, { files, args, parts }] of Object.entries(FOUND)) {
  test(`searches ${what}`, async (made) => {
    for (const [name, text] of Object.entries(files)) await made.write(name, text);
    const { leftOut } = await built(made, ...args, "--dry-run");
    assertEquals(leftOut, Object.keys(HIDDEN).filter((part) => !parts.includes(part)));
  });
}

test("searches the file behind a symbolic link, and names the bundle after the link", async (made) => {
  await made.write("linked/target.ts", 'export default "xml";');
  await Deno.symlink(made.file("linked/target.ts"), made.file("link.ts"));
  const { file, leftOut } = await built(made, "link.ts");
  assertEquals(file, made.file("dist/link.js"));
  assert(!leftOut.includes("xml"));
});

test("names the bundle .js where the entry has no extension", async (made) => {
  assertEquals((await built(made, "./worker")).file, made.file("dist/worker.js"));
  await made.write("my.worker.ts", "export default 1;");
  assertEquals((await built(made, "./my.worker")).file, made.file("dist/my.worker.js"));
});

/** Models in modules of their own, one of them a subclass of another, as `irori openapi` sees them. */
const MODELS: Readonly<Record<string, string>> = {
  "application.yml": "component-scan: .\n",
  "user.ts": `import { Model } from "irori";
import * as z from "zod";
export class NewUser extends Model(z.object({ name: z.string() })) {}
`,
  "member.ts": `import { NewUser } from "./user.ts";
export class NewMember extends NewUser {}
`,
  "user_controller.ts": `import { PostMapping, RequestBody, RestController } from "irori";
import { NewMember } from "./member.ts";
import { NewUser } from "./user.ts";
@RestController()
export class UserController {
  @PostMapping("/users", RequestBody(NewUser))
  create(user: NewUser) { return user.name; }
  @PostMapping("/members", RequestBody(NewMember))
  join(member: NewMember) { return member.name; }
}
`,
  "serve.ts": `import { bootstrap } from "irori/edge";
import { openApi } from "irori/openapi";
import { UserController } from "./user_controller.ts";
const app = await bootstrap({ components: [UserController], extensions: [openApi()] });
console.log(await (await app.request("/openapi.json")).text());
`,
};
for (const target of ["edge", "node", "bun", "deno"] as const) {
  test(`--target ${target}: serves the document of 'irori openapi'`, async (made) => {
    for (const [name, text] of Object.entries(MODELS)) await made.write(`models/${name}`, text);
    const { file } = await built(made, "models/serve.ts", "--target", target);
    const runner = { edge: DENO, node: await node(24), bun: await bun(), deno: DENO }[target];
    const served = JSON.parse(await run([...runner, file], { cwd: "." }));
    assertEquals(Object.keys(served.components.schemas), ["NewMember", "NewUser", "ProblemDetail"]);
    const bin = made.file("node_modules/irori/bin.js");
    const printed = await run([...await tsx(24), bin, "openapi", "-c", "models"], {
      cwd: made.path,
    });
    assertEquals(served, JSON.parse(printed));
  });
}

servers("Node 24", "node", () => node(24));
servers("Node 22", "node", () => node(22));
servers("Bun", "bun", bun);
servers("Deno", "deno", () => DENO);

function servers(name: string, target: string, command: () => Command | Promise<Command>): void {
  test(`${name}: makes a server, whose beans keep their names`, async (made) => {
    const { file, leftOut } = await built(made, "main.ts", "--target", target);
    assertEquals(leftOut, []);
    const printed = await run(["timeout", "60", ...await command(), file], { cwd: "." });
    const [start = "", ...answers] = printed.split("\n");
    assertStringIncludes(start, "Listening on http://127.0.0.1:");
    assertEquals(answers, ['{"message":"Hello Ada"}', '{"own":404}', ""]);
  });
}

test("reports the place of a syntax error, a missing entry and an unknown part", async (made) => {
  await made.write("broken.ts", 'import "./absent.ts";\nexport const = 1;\n');
  const error = await assertRejects(() => built(made, "broken.ts"), Error);
  assertStringIncludes(error.message, "Cannot bundle 'broken.ts':\n  broken.ts:2:14: Expected");
  const none = await assertRejects(() => built(made, "none.ts"), Error);
  assertStringIncludes(none.message, "Cannot bundle 'none.ts'");
  for (const name of ["xm", "toString"]) {
    const part = await assertRejects(() => built(made, "worker.ts", "--with", name), Error);
    assertStringIncludes(
      part.message,
      `Expected some of ${Object.keys(HIDDEN).join(", ")} in --with, found '${name}'`,
    );
  }
});

Deno.test("irori build + each part has a substitute for all that others import of it", async () => {
  const parts = await Promise.all(Object.keys(PARTS).map((path) => import(`../../${path}`)));
  // For configuration files, which no bundle for an edge isolate has, for their schema, and for tests.
  const ownUse = ["assemble", "keysIn", "DEPRECATION_KEYS", "parseAddress"];
  const names = parts.flatMap((part) => Object.keys(part)).filter((name) => !ownUse.includes(name));
  assertEquals(Object.keys(leftOut).sort(), names.sort());
});

interface Built {
  readonly file: string;
  readonly gzipped: number;
  readonly leftOut: readonly string[];
  readonly written: boolean;
}

async function built(made: Project, ...args: readonly string[]): Promise<Built> {
  const bin = made.file("node_modules/irori/bin.js");
  return JSON.parse(
    await run([...await node(24), bin, "build", ...args, "--json"], { cwd: made.path }),
  );
}

async function read(made: Project, name: string): Promise<string> {
  return await Deno.readTextFile(made.file(name));
}
