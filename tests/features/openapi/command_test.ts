import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join, toFileUrl } from "@std/path";
import { started, workspace } from "../../e2e/command_line.ts";

const LIBRARY = new URL("../../../mod.ts", import.meta.url).href;
const OPENAPI = new URL("../../../src/features/contract/mod.ts", import.meta.url).href;
const SECURITY = new URL("../../../src/features/security/mod.ts", import.meta.url).href;
const CONFIG_FILE = fromFileUrl(new URL("../../../deno.json", import.meta.url));
const USERS = fromFileUrl(new URL("../../../examples/users/config", import.meta.url));

Deno.test("cli openapi + prints the document of the users example, without a database", async () => {
  const { code, stdout } = await started(["openapi", "-c", USERS]);
  assertEquals(code, 0);
  const { openapi, info, paths } = JSON.parse(stdout);
  assertEquals([openapi, info.title], ["3.1.0", "Users"]);
  assertEquals(Object.keys(paths).sort(), ["/users", "/users/search", "/users/{id}"]);
});

Deno.test("cli contract + prints a module that compiles, and data with --json", async () => {
  await using space = await workspace({});
  const module = await started(["contract", "-c", USERS]);
  assertEquals(module.code, 0);
  const path = join(space.path, "contract.ts");
  await Deno.writeTextFile(path, module.stdout);
  const { contract } = await import(toFileUrl(path).href);
  assertEquals(contract.UserController.get, {
    method: "GET",
    path: "/users/{id}",
    parameters: [{ in: "path", name: "id" }],
  });
  const { stdout } = await started(["contract", "-c", USERS, "--json"]);
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
  const { code, stdout, stderr } = await space.runStarted("openapi");
  assertEquals([code, stdout], [2, ""]);
  assertMatch(stderr, /^error: Cannot read the path '\/things\/{id'.*'BrokenController\.get'\)\n$/);
});

Deno.test("cli openapi + says so where nothing is scanned", async () => {
  await using space = await workspace({ "config/application.yml": "server: { port: 0 }\n" });
  const { code, stderr } = await space.runStarted("openapi");
  assertEquals(code, 2);
  assertStringIncludes(stderr, "component-scan");
});

Deno.test("cli openapi + says so where there are no controllers", async () => {
  await using space = await workspace({
    "config/application.yml": "component-scan: ./controllers\n",
    "controllers/empty.ts": "export class Forgotten {}",
  });
  const { code, stdout, stderr } = await space.runStarted("openapi");
  assertEquals([code, stdout], [2, ""]);
  assertMatch(stderr, /application\.yml:1: .*expected controllers, found none/);
});

/** Two versions of the document of the users example: the second takes another status away, and adds a route. */
async function versions(): Promise<{ readonly old: string; readonly young: string }> {
  const { stdout } = await started(["openapi", "-c", USERS]);
  const document = JSON.parse(stdout);
  document.paths["/more"] = { get: { responses: {} } };
  delete document.paths["/users/{id}"].get.responses["404"];
  return { old: stdout, young: JSON.stringify(document) };
}

Deno.test("cli contract --against + exits with 5 and says what would break", async () => {
  const { old, young } = await versions();
  await using space = await workspace({ "old.json": old, "young.json": young });
  const [before, after] = [join(space.path, "old.json"), join(space.path, "young.json")];

  const same = await started(["contract", "-c", USERS, "--against", before]);
  assertEquals(same, { code: 0, stdout: "no breaking changes, 0 additions\n", stderr: "" });

  const line = "GET /users/{id}: 404: removed (before: Not Found, after: none)";
  const broken = await started(["contract", after, "--against", before, "-v"]);
  assertEquals([broken.code, broken.stdout.split("\n")], [5, [
    `breaking: ${line}`,
    "added: GET /more: operation: added (before: none, after: GET /more)",
    "1 breaking change, 1 addition",
    "",
  ]]);

  const json = await started(["contract", after, "--against", before, "--json"]);
  assertEquals(json.code, 5);
  assertEquals(JSON.parse(json.stdout).breaking, [{
    routes: ["GET /users/{id}"],
    where: "404",
    what: "removed",
    before: "Not Found",
    after: "none",
  }]);

  const present = await started(["contract", "-c", USERS, "--against", after]);
  assertEquals(present.code, 5);
  assertStringIncludes(present.stdout, "breaking: GET /more: operation: removed");
});

Deno.test("cli contract --against + reads YAML, OpenAPI 3.0 and a base path", async () => {
  await using space = await workspace({
    "old.yaml": `
openapi: 3.0.3
info: { title: Old, version: 1.0.0 }
servers: [{ url: /api }]
paths:
  /users/{id}:
    get:
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer } }
      responses:
        200: { description: One, content: { application/json: { schema: { $ref: "#/components/schemas/User" } } } }
components:
  schemas:
    User: { type: object, required: [name], properties: { name: { type: string, nullable: true } } }
`,
    "new.json": JSON.stringify({
      openapi: "3.1.0",
      info: { title: "New", version: "2" },
      paths: {
        "/api/users/{id}": {
          get: {
            parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
            responses: {
              200: {
                description: "One",
                content: {
                  "application/json": {
                    schema: {
                      type: "object",
                      required: ["name"],
                      properties: { name: { type: "string" } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    }),
  });
  const [old, young] = ["old.yaml", "new.json"].map((name) => join(space.path, name));
  const same = await started(["contract", young!, "--against", old!]);
  assertEquals(same, { code: 0, stdout: "no breaking changes, 0 additions\n", stderr: "" });
  const back = await started(["contract", old!, "--against", young!, "--format", "github"]);
  assertEquals(back.code, 5);
  assertStringIncludes(back.stdout, "200 application/json /name: type widened");
});

/** A controller whose schemas give no JSON Schema, and ask for a scheme. */
const guarded = (field: string) => `
import * as v from "${import.meta.resolve("valibot")}";
import { PostMapping, RequestBody, RestController } from "${LIBRARY}";
import { Operation } from "${OPENAPI}";
const Body = v.object({ ${field}: v.string() });
@RestController()
export class ThingController {
  @Operation({ security: [{ token: [] }] })
  @PostMapping({ path: "/things", returns: Body }, RequestBody(Body))
  create(body: v.InferOutput<typeof Body>) {
    return body;
  }
}
`;
const DOCUMENTATION = `
import { openApi } from "${OPENAPI}";
const toJsonSchema = (schema: any) => ({
  type: "object",
  properties: Object.fromEntries(Object.keys(schema.entries).map((key) => [key, { type: "string" }])),
  required: Object.keys(schema.entries),
});
export const documentation = openApi((config) => ({
  info: { title: config.string("name") },
  jsonSchema: toJsonSchema,
  securitySchemes: { token: { type: "http", scheme: "bearer" } },
}));
export { documentation as same };
`;
const CONFIG = { "config/application.yml": "component-scan: ./app\nname: Things\n" };

Deno.test("cli openapi + prints what an exported openApi() serves", async () => {
  await using space = await workspace({
    ...CONFIG,
    "app/things.ts": guarded("a"),
    "app/documentation.ts": DOCUMENTATION,
    "main.ts": `
import { bootstrap } from "${LIBRARY}";
import { documentation } from "./app/documentation.ts";
const app = await bootstrap({ root: import.meta.dirname, extensions: [documentation] });
console.log(await (await app.request("/openapi.json")).text());
await app.close();
`,
  });
  const main = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-check", "-c", CONFIG_FILE, join(space.path, "main.ts")],
  });
  const served = JSON.parse(new TextDecoder().decode((await main.output()).stdout));
  const { code, stdout, stderr } = await space.runStarted("openapi");
  assertEquals([code, stderr], [0, ""]);
  assertEquals(JSON.parse(stdout), served);
  assertEquals(served.info.title, "Things");

  // A document saved from the server and the command tell of one application.
  await space.write("old.json", JSON.stringify(served));
  const against = ["contract", "--against", join(space.path, "old.json")];
  const same = await space.runStarted(...against);
  assertEquals([same.code, same.stdout, same.stderr], [
    0,
    "no breaking changes, 0 additions\n",
    "",
  ]);
  await space.write("app/things.ts", guarded("b"));
  const changed = await space.runStarted(...against);
  assertEquals(changed.code, 5);
  assertStringIncludes(changed.stdout, "body application/json /b: required input added");
  assertStringIncludes(changed.stdout, "200 application/json /a: removed");
  const module = await space.runStarted("contract");
  assertStringIncludes(module.stdout, "result: { b: string }");
});

Deno.test("cli openapi + warns of schemas and security schemes that nothing describes", async () => {
  await using space = await workspace({ ...CONFIG, "app/things.ts": guarded("a") });
  const { code, stdout, stderr } = await space.runStarted("openapi");
  assertEquals([code, JSON.parse(stdout).openapi], [0, "3.1.0"]);
  const hint = "from a module of 'component-scan'";
  assertEquals(stderr.split("\n"), [
    `warning: the schema 'thingController_create_body' is described as any value: export openApi({ jsonSchema }) ${hint}`,
    `warning: the schema 'thingController_create_200' is described as any value: export openApi({ jsonSchema }) ${hint}`,
    `warning: the security scheme 'token' is not described: export openApi({ securitySchemes }) ${hint}`,
    "",
  ]);
  await space.write("old.json", stdout);
  const compared = await space.runStarted("contract", "--against", join(space.path, "old.json"));
  assertEquals([compared.code, compared.stderr], [0, stderr]);
  const module = await space.runStarted("contract");
  assertEquals(module.stderr.split("\n").length, 3);
});

const CONTROLLED = (annotation: string) => `
import { GetMapping, RestController } from "${LIBRARY}";
import { PermitAll, RolesAllowed } from "${SECURITY}";
@RestController()
export class ReportController {
  ${annotation}
  @GetMapping("/reports")
  all() {
    return "all";
  }
  @PermitAll()
  @GetMapping("/open")
  open() {
    return "open";
  }
  @GetMapping("/closed")
  closed() {
    return "closed";
  }
}
`;
const ACCESS = (schemes: string, more = "") => `
import { apiKey, basic, security } from "${SECURITY}";
export class Sessions {
  constructor() {
    throw new Error("No bean is made");
  }
  authenticate() {
    return undefined;
  }
}
const keys = [{ key: "k", name: "k", roles: ["admin", "audit"] }];
const users = [{ name: "ada", password: "secret", roles: ["admin", "audit"] }];
export const access = security({ schemes: { ${schemes} }, paths: { "/openapi.json": "permitAll" } });
${more}
`;

Deno.test("cli openapi + has the schemes and the roles of an exported security()", async () => {
  await using space = await workspace({
    ...CONFIG,
    "app/reports.ts": CONTROLLED('@RolesAllowed("admin")'),
    "app/access.ts": ACCESS("key: apiKey({ keys }), password: basic({ users })"),
    "main.ts": `
import { bootstrap } from "${LIBRARY}";
import { openApi } from "${OPENAPI}";
import { access } from "./app/access.ts";
const app = await bootstrap({ root: import.meta.dirname, extensions: [openApi(), access] });
console.log(await (await app.request("/openapi.json")).text());
await app.close();
`,
  });
  const main = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-check", "-c", CONFIG_FILE, join(space.path, "main.ts")],
  });
  const served = JSON.parse(new TextDecoder().decode((await main.output()).stdout));
  const { code, stdout, stderr } = await space.runStarted("openapi");
  assertEquals([code, stderr], [0, ""]);
  assertEquals(JSON.parse(stdout), served);
  const { paths, components } = served;
  assertEquals(Object.keys(components.securitySchemes), ["key", "password"]);
  assertEquals(paths["/reports"].get.security, [{ key: ["admin"] }, { password: ["admin"] }]);
  assertEquals([paths["/open"].get.security, paths["/closed"].get.security], [
    [],
    [{ key: [] }, { password: [] }],
  ]);

  await space.write("old.json", stdout);
  const against = async () => {
    const { code, stdout } = await space.runStarted(
      "contract",
      "--against",
      join(space.path, "old.json"),
    );
    return [code, stdout.split("\n")[0]];
  };
  assertEquals(await against(), [0, "no breaking changes, 0 additions"]);
  // One more role that suffices; another role; no role any more; another scheme.
  await space.write("app/reports.ts", CONTROLLED('@RolesAllowed("admin", "audit")'));
  assertEquals(await against(), [0, "no breaking changes, 1 addition"]);
  await space.write("app/reports.ts", CONTROLLED('@RolesAllowed("audit")'));
  assertEquals(await against(), [
    5,
    "breaking: GET /reports: security: changed " +
    "(before: key (admin) or password (admin), after: key (audit) or password (audit))",
  ]);
  await space.write("app/reports.ts", CONTROLLED(""));
  assertEquals((await against())[0], 5); // The declared 403 was removed.
  await space.write("app/reports.ts", CONTROLLED('@RolesAllowed("admin")'));
  await space.write("app/access.ts", ACCESS("password: basic({ users })"));
  assertEquals(await against(), [
    5,
    "breaking: GET /closed: security: changed (before: key or password, after: password)",
  ]);
  await space.write(
    "app/access.ts",
    ACCESS('key: apiKey({ keys, name: "X-Other" }), password: basic({ users })'),
  );
  const [status, line = ""] = await against();
  assertEquals(status, 5);
  assertMatch(
    String(line),
    /^breaking: GET \/closed: security: scheme changed \(before: .*X-API-Key/i,
  );

  const routes = await space.runStarted("routes");
  assertMatch(routes.stdout, /\/closed +reportController\.closed\(\) +authenticated/i);
});

Deno.test("cli openapi + warns of schemes that it cannot know, and makes no bean for them", async () => {
  await using space = await workspace({
    ...CONFIG,
    "app/reports.ts": CONTROLLED('@RolesAllowed("admin")'),
    "access.ts": ACCESS("session: Sessions"),
  });
  const hint = "from a module of 'component-scan'";
  const hidden = await space.runStarted("openapi");
  assertEquals([hidden.code, hidden.stderr], [
    0,
    `warning: the schemes that protect routes are not described: export security() ${hint}\n`,
  ]);
  await space.write("app/access.ts", ACCESS("session: Sessions"));
  const unknown = await space.runStarted("openapi");
  assertEquals([unknown.code, unknown.stderr], [
    0,
    `warning: the security scheme 'session' is not described: export openApi({ securitySchemes }) ${hint}\n`,
  ]);
  const { paths, components } = JSON.parse(unknown.stdout);
  assertEquals(paths["/reports"].get.security, [{ session: ["admin"] }]);
  assertEquals(components.securitySchemes, undefined);
  await space.write("app/documentation.ts", DOCUMENTATION.replace("token:", "session:"));
  const known = await space.runStarted("openapi");
  assertEquals([known.code, known.stderr], [0, ""]);
  assertEquals(Object.keys(JSON.parse(known.stdout).components.securitySchemes), ["session"]);
});

const COMMANDS = ["routes", "openapi", "contract"];

Deno.test("cli + names the module of exported options that fail, and what is not configured, without a stack", async () => {
  await using space = await workspace({ ...CONFIG, "app/reports.ts": CONTROLLED("") });
  const fails = '(config) => { new URL(config.string("vault.url")); return {}; }';
  const path = space.path + "/app/access.ts";
  const reason = "Invalid URL: 'undefined' (not configured: 'vault.url')";
  for (
    const [extension, module, options] of [
      ["security()", SECURITY, `security({ schemes: { key: apiKey(${fails}) } })`],
      ["security()", SECURITY, `security(${fails})`],
      ["openApi()", OPENAPI, `openApi(${fails})`],
    ] as const
  ) {
    await space.write(
      "app/access.ts",
      `import * as library from "${module}";
const { apiKey, openApi, security } = library;
export const access = ${options};
`,
    );
    for (const command of COMMANDS) {
      const { code, stdout, stderr } = await space.runStarted(command);
      assertEquals([code, stdout, stderr], [
        2,
        "",
        `error: Cannot read the options of ${extension} in '${path}': ${reason}\n`,
      ]);
    }
  }
});

Deno.test("cli + describes the schemes of an exported security() without its secrets", async () => {
  await using space = await workspace({
    ...CONFIG,
    "app/reports.ts": CONTROLLED('@RolesAllowed("ops")'),
    "app/access.ts": `
import { apiKey, basic, jwt, security } from "${SECURITY}";
const roles = ["ops"];
export const access = security({
  schemes: {
    pw: basic((config) => ({ users: [{ name: "ops", password: config.string("ops.password"), roles }] })),
    key: apiKey((config) => ({
      keys: ["a", "b"].map((key) => ({ key: config.string("keys." + key), name: "ops", roles })),
      in: "query",
    })),
    token: jwt((config) => ({ issuer: config.string("iss"), secret: config.string("jwt"), audience: "a", knownRoles: roles })),
  },
});
`,
  });
  for (const command of COMMANDS) {
    const { code, stderr } = await space.runStarted(command);
    assertEquals([code, stderr], [0, ""]);
  }
  const { components } = JSON.parse((await space.runStarted("openapi")).stdout);
  assertEquals(components.securitySchemes, {
    pw: { type: "http", scheme: "basic" },
    key: { type: "apiKey", in: "query", name: "X-API-Key" },
    token: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
  });
  await space.write("app/reports.ts", CONTROLLED('@RolesAllowed("boss")'));
  const { code, stderr } = await space.runStarted("routes");
  assertEquals(code, 2);
  assertStringIncludes(stderr, "no scheme grants the role 'boss', expected one of 'ops'");
});

Deno.test("cli openapi + refuses two security() of one application", async () => {
  await using space = await workspace({
    ...CONFIG,
    "app/reports.ts": CONTROLLED(""),
    "app/access.ts": ACCESS(
      "key: apiKey({ keys })",
      "export const other = security({ schemes: { key: apiKey({ keys }) } });",
    ),
  });
  const { code, stdout, stderr } = await space.runStarted("openapi");
  assertEquals([code, stdout], [2, ""]);
  assertMatch(stderr, /application\.yml:1: .*expected one exported security\(\), found several/);
});

Deno.test("cli openapi + refuses two openApi() of one application", async () => {
  await using space = await workspace({
    ...CONFIG,
    "app/things.ts": guarded("a"),
    "app/documentation.ts": DOCUMENTATION,
    "app/more.ts": DOCUMENTATION,
  });
  const { code, stderr } = await space.runStarted("openapi");
  assertEquals(code, 2);
  assertStringIncludes(stderr, "expected one exported openApi(), found 2");
});

Deno.test("cli openapi + what modules write to the console goes to stderr", async () => {
  await using space = await workspace({
    ...CONFIG,
    "app/things.ts": `${guarded("a")}\nconsole.log("[connected]"); console.info("::error::x");\n`,
  });
  const { code, stdout, stderr } = await space.runStarted("openapi");
  assertEquals(code, 0);
  assertEquals(JSON.parse(stdout).openapi, "3.1.0");
  assertStringIncludes(stderr, "[connected]\n::error::x\n");
});

Deno.test("cli contract --against + says what it cannot read", async () => {
  await using space = await workspace({
    "a.json": "{",
    "b.json": "[]",
    "c.json": "{}",
    "d.yaml": "a: 1",
    "e.yml": "a: b: c",
  });
  const cases = [
    ["none.json", "Cannot compare: file"],
    ["a.json", "a.json:1:2: Cannot compare: the file is not JSON"],
    ["b.json", "is not an OpenAPI 3.0 or 3.1 document"],
    ["c.json", "is not an OpenAPI 3.0 or 3.1 document"],
    ["d.yaml", "is not an OpenAPI 3.0 or 3.1 document"],
    ["e.yml", "e.yml:1:5: Cannot compare: the file is not YAML"],
  ] as const;
  for (const [name, message] of cases) {
    const { code, stdout, stderr } = await started(
      ["contract", "-c", USERS, "--against", join(space.path, name)],
    );
    assertEquals([code, stdout], [2, ""]);
    assertStringIncludes(stderr, message);
    assertStringIncludes(stderr, name);
  }
  const { code, stderr } = await started(["contract", "new.json"]);
  assertEquals(code, 2);
  assertStringIncludes(stderr, "expected '--against' with the older document");
});

Deno.test("cli routes + prints who may call what, as text and as data", async () => {
  const security = new URL("../../../src/features/security/mod.ts", import.meta.url).href;
  await using space = await workspace({
    "config/application.yml": "component-scan: ./controllers\nserver: { context-path: /api }\n",
    "controllers/issues.ts": `
import { DeleteMapping, GetMapping, PathVariable, PutMapping, RestController } from "${LIBRARY}";
import { PermitAll, PreAuthorize, RolesAllowed } from "${security}";
@RestController()
@RolesAllowed("admin", "editor")
export class Issues {
  @GetMapping("/issues")
  @PermitAll()
  all() {}
  @DeleteMapping("/issues/{id}", PathVariable("id"))
  remove() {}
  @PutMapping("/issues/{id}", PathVariable("id"))
  @PreAuthorize(() => true)
  change() {}
}
@RestController()
export class Others {
  @GetMapping("/others")
  all() {}
}
`,
  });
  const { code, stdout } = await space.runStarted("routes");
  assertEquals([code, stdout.split("\n")], [0, [
    "GET     /api/issues       issues.all()     permitAll",
    "DELETE  /api/issues/{id}  issues.remove()  roles admin, editor",
    "PUT     /api/issues/{id}  issues.change()  roles admin, editor, and @PreAuthorize",
    "GET     /api/others       others.all()     default",
    "",
  ]]);
  const { routes } = JSON.parse((await space.runStarted("routes", "--json")).stdout);
  assertEquals(routes.map(({ access }: { access?: unknown }) => access), [
    { allows: "permitAll" },
    { allows: "rolesAllowed", roles: ["admin", "editor"] },
    { allows: "rolesAllowed", roles: ["admin", "editor"], preAuthorize: true },
    undefined,
  ]);
});

Deno.test("cli routes --explain + names what keeps a route off the fast path", async () => {
  await using space = await workspace({
    "config/application.yml": `
component-scan: ./controllers
server: { api-version: { header: X-API-Version, supported: [1, 2] } }
`,
    "controllers/files.ts": `
import * as irori from "${LIBRARY}";
const { CookieValue, FormParam, GetMapping, PathVariable, PostMapping, RequestBody, Use } = irori;
const cookie = CookieValue("lang", { required: false });
@irori.RestController()
export class Files {
  @GetMapping("/files/{id}", PathVariable("id"), cookie)
  get() {}
  @GetMapping("/rest/**")
  rest() {}
  @PostMapping("/json", RequestBody())
  json() {}
  @PostMapping("/form", FormParam("name"))
  form() {}
  @PostMapping({ path: "/made", status: irori.HttpStatus.NO_CONTENT })
  made() {}
  @GetMapping({ path: "/text", produces: "text/plain" })
  text() {}
  @GetMapping("/used")
  @Use((_, next) => next())
  used() {}
  @GetMapping({ path: "/chosen/{a}", version: "1" }, PathVariable("a"))
  one() {}
  @GetMapping("/chosen/{b}", PathVariable("b"))
  other() {}
  @GetMapping("/rest/below/{a}", PathVariable("a"))
  below() {}
  @GetMapping("/twins/{a:\\\\d+}", PathVariable("a"))
  @Use((_, next) => next())
  twin() {}
  @GetMapping("/twins/{b}", PathVariable("b"))
  sibling() {}
  @GetMapping("/x/y/a:b")
  escaped() {}
}
`,
  });
  const { code, stdout } = await space.runStarted("routes", "--explain");
  assertEquals(code, 0);
  assertEquals(
    stdout.split("\n").filter((line) => /^\S/.test(line)).map((line) => {
      return line.replace(/ {2,}/g, "|").replace("not on the fast path: ", "").split("|");
    }).map((cells) => [cells[1], cells.at(-1)]),
    [
      ["/chosen/{a}", "a request header selects the version"],
      [
        "/chosen/{b}",
        "it is matched together with '/chosen/{a}', which is not: a request header selects the version",
      ],
      ["/files/{id}", "fast path"],
      ["/form", "parameter 1 does not read JSON"],
      ["/json", "fast path"],
      ["/made", "responses with status 204 have no body"],
      ["/rest/below/{a}", "'/rest/**' matches its requests, too"],
      ["/rest/**", "the path matches several segments"],
      ["/text", "'consumes' or 'produces' selects by media type"],
      ["/twins/{a:\\d+}", "@Use() adds middleware"],
      [
        "/twins/{b}",
        "it is matched together with '/twins/{a:\\d+}', which is not: @Use() adds middleware",
      ],
      ["/used", "@Use() adds middleware"],
      ["/x/y/a:b", "URLs may escape characters of the path"],
    ],
  );
  const { routes } = JSON.parse((await space.runStarted("routes", "--explain", "--json")).stdout);
  assertEquals(
    routes.map(({ fastPath, slowBecause }: Record<string, unknown>) => fastPath === !slowBecause),
    Array(13).fill(true),
  );
});

Deno.test("cli openapi + prints the document of a version of the API", async () => {
  await using space = await workspace({
    "config/application.yml": `
component-scan: ./controllers
server:
  api-version:
    header: X-API-Version
    supported: [1.9, 1.10]
    deprecated:
      - { version: 1.9, since: 2026-01-31, sunset: 2026-12-31 }
`,
    "controllers/user_controller.ts": `
import { GetMapping, RestController } from "${LIBRARY}";
@RestController()
export class UserController {
  @GetMapping({ path: "/users", version: "1.9" })
  first() {}
  @GetMapping({ path: "/users", version: "1.10" })
  second() {}
}
`,
  });
  const operationOf = async (...args: string[]) => {
    const { code, stdout, stderr } = await space.runStarted("openapi", ...args);
    assertEquals([code, stderr], [0, ""]);
    const { operationId, deprecated } = JSON.parse(stdout).paths["/users"].get;
    return [operationId, deprecated];
  };
  assertEquals(await operationOf(), ["userController_second", undefined]);
  assertEquals(await operationOf("--api-version", "1.9"), ["userController_first", true]);
  const { code, stderr } = await space.runStarted("openapi", "--api-version", "2");
  assertEquals(code, 2);
  assertStringIncludes(stderr, "version '2' of the API: expected one of '1.9', '1.10'");
  await space.write("old.json", (await space.runStarted("openapi", "--api-version", "1.9")).stdout);
  await space.write(
    "controllers/user_controller.ts",
    `
import { GetMapping, RestController } from "${LIBRARY}";
@RestController()
export class UserController {
  @GetMapping({ path: "/users", version: "1.10" })
  second() {}
}
`,
  );
  await space.write(
    "config/application.yml",
    "component-scan: ./controllers\nserver: { api-version: { header: X-API-Version } }\n",
  );
  const against = ["contract", "--against", join(space.path, "old.json"), "--api-version"];
  const removed = await space.runStarted(...against, "1.9");
  assertEquals([removed.code, removed.stdout.split("\n")], [5, [
    "breaking: GET /users: version '1.9': removed (before: 1.9, after: 1.10)",
    "1 breaking change, 0 additions",
    "",
  ]]);
  const never = await space.runStarted(...against, "7");
  assertEquals(never.code, 2);
  assertStringIncludes(never.stderr, "version '7' of the API: expected one of ");
});
