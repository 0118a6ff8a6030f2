import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { z } from "zod";
import {
  Autowired,
  Bean,
  bootstrap,
  Component,
  ConfigError,
  Configuration,
  DeleteMapping,
  type ErrorController,
  ErrorControllerError,
  GetMapping,
  HttpError,
  type HttpRequest,
  HttpStatus,
  MappingError,
  Model,
  PathVariable,
  PostMapping,
  RequestBody,
  RequestMapping,
  RequestParam,
  ResponseEntity,
  RestController,
  Service,
} from "../../mod.ts";

class User extends Model(z.object({ name: z.string(), email: z.email() })) {
  id = 0;
}

@Service()
class UserService {
  readonly users = new Map<number, User>();
}

@RestController()
class UserController {
  @Autowired(UserService)
  private readonly service!: UserService;

  @GetMapping("/users")
  list() {
    return [...this.service.users.values()];
  }

  @GetMapping("/users/{id}", PathVariable("id", "int"))
  get(id: number) {
    const user = this.service.users.get(id);
    if (!user) throw new HttpError(404, `There is no user ${id}`);
    return user;
  }

  @GetMapping("/users/search", RequestParam("email"))
  search(email: string, request: HttpRequest) {
    return { email, path: request.path };
  }

  @PostMapping({ path: "/users", status: HttpStatus.CREATED }, RequestBody(User))
  create(user: User) {
    user.id = this.service.users.size + 1;
    this.service.users.set(user.id, user);
    return user;
  }

  @DeleteMapping("/users/{id}", PathVariable("id", "int"))
  remove(id: number) {
    this.service.users.delete(id);
    return ResponseEntity.noContent();
  }
}

const components = [UserController, UserService];

Deno.test("bootstrap() + serves what controllers declare", async () => {
  await using app = await bootstrap({ components });
  const created = await app.request("/users", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Ada", email: "ada@example.com" }),
  });
  assertEquals(created.status, 201);
  assertEquals(await created.json(), { id: 1, name: "Ada", email: "ada@example.com" });
  const found = await app.request("/users/1");
  assertEquals(found.headers.get("content-type"), "application/json");
  assertEquals((await found.json()).name, "Ada");
  const search = await app.request("/users/search?email=a%40b.c");
  assertEquals(await search.json(), { email: "a@b.c", path: "/users/search" });
  assertEquals((await app.request("/users/1", { method: "DELETE" })).status, 204);
  assertEquals(await (await app.request("/users")).json(), []);
});

Deno.test("bootstrap() + answers failures with problems", async () => {
  await using app = await bootstrap({ components });
  const response = await app.request("/users/12abc");
  assertEquals(response.status, 400);
  assertEquals(response.headers.get("content-type"), "application/problem+json");
  assertEquals(await response.json(), {
    type: "about:blank",
    title: "Bad Request",
    status: 400,
    detail: "Cannot bind the path variable 'id': expected an integer, found '12abc'",
    instance: "/users/12abc",
    errors: [{ parameter: "id", message: "expected an integer, found '12abc'" }],
  });
  assertEquals((await app.request("/nothing")).status, 404);
});

Deno.test("bootstrap() + lets the bean 'errorController' answer failures", async () => {
  @Component("errorController")
  class Envelope implements ErrorController {
    handleError(_: HttpRequest, response: ResponseEntity, status: HttpStatus, error?: unknown) {
      response.withJson({ success: false, status: status.getValue(), thrown: error !== undefined });
    }
  }
  await using app = await bootstrap({ components: [...components, Envelope] });
  const thrown = await app.request("/users/7");
  assertEquals(thrown.status, 404);
  assertEquals(await thrown.json(), { success: false, status: 404, thrown: true });
  const routing = await app.request("/users", { method: "PUT" });
  assertEquals(routing.headers.get("allow"), "GET, HEAD, POST, OPTIONS");
  assertEquals(await routing.json(), { success: false, status: 405, thrown: false });
});

Deno.test("bootstrap() + refuses a bean 'errorController' that handles no errors", async () => {
  @Component("errorController")
  class Nothing {}
  const error = await assertRejects(() => bootstrap({ components: [Nothing] }), TypeError);
  assertStringIncludes(error.message, "handleError");
});

Deno.test("bootstrap() + refuses an error controller of another name, and names --keep-names", async () => {
  @Component()
  class e {
    handleError() {}
  }
  const error = await assertRejects(() => bootstrap({ components: [e] }), ErrorControllerError);
  assertStringIncludes(error.message, "'errorController'");
  assertStringIncludes(error.message, "--keep-names");

  // Beside the one that is asked it is a helper.
  @Component("errorController")
  class Main {
    handleError() {}
  }
  await using _ = await bootstrap({ components: [e, Main] });
});

Deno.test("bootstrap() + runs startup functions in order, before beans are built", async () => {
  const order: string[] = [];
  @Component()
  class Late {
    constructor() {
      order.push("bean");
    }
  }
  await using app = await bootstrap({
    components: [Late],
    config: { greeting: "hello" },
    startup: [
      async (config) => {
        await Promise.resolve();
        order.push(config.string("greeting", ""));
      },
      () => order.push("second"),
    ],
  });
  assertEquals(order, ["hello", "second", "bean"]);
  assert(app.context.has(Late));
});

Deno.test("bootstrap() + puts the context path before every route", async () => {
  await using app = await bootstrap({ components, config: { server: { "context-path": "/api" } } });
  assertEquals((await app.request("/api/users")).status, 200);
  assertEquals((await app.request("/users")).status, 404);
  assertEquals(app.routeTable.every(({ path }) => path.startsWith("/api/")), true);
});

Deno.test("bootstrap() + matches a context path however clients encode it", async () => {
  for (const path of ["/caf\u00e9", "/a b", "/a b/c d e", "/...", "/~a.b"]) {
    await using app = await bootstrap({ components, config: { server: { "context-path": path } } });
    app.hono.get(`${path}/own`, (context) => context.text("own"));
    for (const sent of [encodeURI(path), path.replace(/[^/]/g, (text) => percent(text))]) {
      assertEquals((await app.request(`${sent}/users`)).status, 200, sent);
      assertEquals((await app.request(`${sent}/own`)).status, 200, sent);
    }
  }
  const config = { server: { "context-path": "/a%20b" } };
  const { message } = await assertRejects(() => bootstrap({ components, config }), ConfigError);
  assertStringIncludes(message, "expected a path such as '/my api', not percent-encoded");
});

/** Each byte of a text, percent-encoded, but dots. */
function percent(text: string): string {
  if (text === ".") return text;
  const bytes = [...new TextEncoder().encode(text)];
  return bytes.map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

Deno.test("bootstrap() + lists its routes as plain data", async () => {
  @RestController()
  @RequestMapping("/things")
  class Things {
    @PostMapping(
      { path: "/{id:[0-9]+}", status: HttpStatus.CREATED, consumes: "text/plain", maxBodySize: 9 },
      PathVariable("id", "int"),
    )
    add(_id: number) {}
  }
  await using app = await bootstrap({ components: [Things], config: {} });
  const route = {
    method: "POST",
    path: "/things/{id:[0-9]+}",
    controller: "things",
    handler: "add",
    consumes: ["text/plain"],
    produces: [],
    status: 201,
  };
  assertEquals(app.routeTable.map((route) => Object.entries(route)), [Object.entries(route)]);
  assertEquals(JSON.parse(JSON.stringify(app.routeTable)), [route]);
});

Deno.test("bootstrap() + refuses settings of the server that cannot be", async (t) => {
  const cases = {
    "address": ["", " "],
    "context-path": [
      ...["api", "/api/", "/{a}", "/a ", "/ a", "/a\tb", "/..", "/a/./b", "/a/%2e%2E"],
      ...["/%", "/100%", "/a%20b", "/caf%C3%A9"],
    ],
    "max-body-size": [-1, 1.5],
    "forwarded-header": ["", "X-Real-IP"],
    "idle-timeout": [-1, 256],
    "port": [-1, 65_536, 0.5],
    "request-timeout": [-1, "soon"],
    "shutdown-timeout": [-1],
    "trusted-proxies": ["proxy", "10.0.0.0/33"],
  };
  for (const [key, values] of Object.entries(cases)) {
    for (const value of values) {
      await t.step(`server.${key}: ${value}`, async () => {
        const error = await assertRejects(
          () => bootstrap({ config: { server: { [key]: value } } }),
          ConfigError,
        );
        assertStringIncludes(error.message, `server.${key}`);
      });
    }
  }
});

Deno.test("bootstrap() + refuses settings of the server that there are not, and names what is near", async () => {
  const refused = async (key: string) => {
    const server = { port: 0, [key]: 1 };
    return (await assertRejects(() => bootstrap({ config: { server } }), ConfigError)).message;
  };
  assertStringIncludes(
    await refused("request-timout"),
    "'server.request-timout': Unknown setting: did you mean 'server.request-timeout'?",
  );
  const { message } = await assertRejects(
    () => bootstrap({ config: { server: { sse: { heartbeet: 1 } } } }),
    ConfigError,
  );
  assertStringIncludes(message, "did you mean 'server.sse.heartbeat'?");
  assertStringIncludes(
    await refused("max-connections"),
    "expected one of address, api-version.default, ",
  );
});

Deno.test("bootstrap() + leaves frames to errors of the application alone", async () => {
  const stacksOf = async (start: () => Promise<unknown>) => {
    const { stack, message, cause } = await assertRejects(start, Error);
    return [stack?.replace(message, "…"), (cause as Error | undefined)?.stack];
  };
  const wrong = { server: { port: "none" } };
  assertEquals(await stacksOf(() => bootstrap({ config: wrong })), ["ConfigError: …", undefined]);
  @Component()
  class Failing {
    constructor() {
      throw new RangeError("too far");
    }
  }
  const [stack, cause] = await stacksOf(() => bootstrap({ components: [Failing] }));
  assertEquals(stack, "BeanCreationError: …");
  assertStringIncludes(cause!, "at new Failing");
  // As clients of clusters name it.
  class ConnectionError extends Error {
    override readonly name = "ConnectionError";
  }
  const fail = () => Promise.reject(new ConnectionError("down"));
  const [ofApplication] = await stacksOf(() => bootstrap({ startup: [fail] }));
  assertStringIncludes(ofApplication!, "at fail");
  await using app = await bootstrap({ config: { server: { port: 0, address: "127.0.0.1" } } });
  const { port } = await app.listen();
  await using second = await bootstrap({ config: { server: { port, address: "127.0.0.1" } } });
  const [message, ofSystem] = await stacksOf(() => second.listen());
  assertEquals(message, "ListenError: …");
  assert(!ofSystem!.includes("\n"), ofSystem);
});

Deno.test("bootstrap() + closes the beans when the routes cannot be made", async () => {
  let closed = 0;
  @RestController()
  class Broken {
    @GetMapping("/{a")
    handle() {}
    [Symbol.dispose]() {
      closed++;
    }
  }
  await assertRejects(() => bootstrap({ components: [Broken] }), MappingError, "'/{a'");
  assertEquals(closed, 1);
});

Deno.test("bootstrap() + takes overrides of beans", async () => {
  const users = new Map([[5, Object.assign(new User(), { id: 5, name: "Stub" })]]);
  await using app = await bootstrap({ components, overrides: [[UserService, { users }]] });
  assertEquals((await (await app.request("/users/5")).json()).name, "Stub");
});

Deno.test("bootstrap() + fills placeholders from the environment that an edge isolate hands over", async () => {
  await using app = await bootstrap({
    config: { greeting: "${NAME:reader}, ${OTHER:default}" },
    env: { NAME: "Ada", BINDING: { get: () => "no text" } },
  });
  assertEquals(app.config.string("greeting"), "Ada, default");
});

Deno.test("bootstrap() + takes bodies of 1 MiB where nothing else is said", async () => {
  @RestController()
  class Sizes {
    @PostMapping("/size", RequestBody())
    size(body: unknown) {
      return String(body).length;
    }
  }
  await using app = await bootstrap({ components: [Sizes] });
  const statuses: number[] = [];
  for (const length of [1_048_574, 1_048_575]) {
    const response = await app.request("/size", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: `"${"a".repeat(length)}"`,
    });
    statuses.push(response.status);
    await response.body?.cancel();
  }
  assertEquals(statuses, [200, 413]);
});

Deno.test("bootstrap() + takes controllers that a @Bean method makes", async () => {
  @RestController()
  class Made {
    constructor(readonly text = "by itself") {}
    @GetMapping("/made")
    made() {
      return this.text;
    }
  }
  @Configuration()
  class Beans {
    @Bean("made", { type: Made })
    make() {
      return Promise.resolve(new Made("by hand"));
    }
  }
  await using app = await bootstrap({ components: [Beans] });
  assertEquals(await (await app.request("/made")).text(), "by hand");
});

Deno.test("bootstrap() + gives each application beans of its own", async () => {
  await using one = await bootstrap({ components });
  await using two = await bootstrap({ components });
  one.context.get(UserService).users.set(1, new User());
  assertEquals((await one.request("/users/1")).status, 200);
  assertEquals((await two.request("/users/1")).status, 404);
});
