import { assertEquals } from "@std/assert";
import { methodOverride } from "hono/method-override";
import { secureHeaders } from "hono/secure-headers";
import { webSocket } from "../../../src/features/websocket/mod.ts";
import {
  Authenticated,
  basic,
  PermitAll,
  PreAuthorize,
  type Principal,
  RolesAllowed,
  security,
} from "../../../src/features/security/mod.ts";
import {
  ControllerAdvice,
  DeleteMapping,
  ExceptionHandler,
  type Extension,
  GetMapping,
  HttpError,
  type HttpRequest,
  PostMapping,
  ResponseEntity,
  RestController,
} from "../../../mod.ts";
import { appOf } from "../../web/helpers.ts";

const guard = () =>
  security({
    schemes: {
      password: basic({
        users: [
          { name: "ada", password: "engine", roles: ["user"] },
          { name: "root", password: "of all", roles: ["admin"] },
        ],
      }),
    },
  });
const ADA = { Authorization: `Basic ${btoa("ada:engine")}` };

@RestController()
class Chat {
  @GetMapping("/chat")
  chat(request: HttpRequest) {
    return webSocket(request, {});
  }

  @PostMapping("/things")
  @PermitAll()
  post() {
    return "posted";
  }

  @DeleteMapping("/things")
  @RolesAllowed("admin")
  remove() {
    return "removed";
  }
}

Deno.test("security() + refuses a handshake of a WebSocket before it is taken", async () => {
  await using app = await appOf([Chat], { extensions: [guard()] });
  const headers = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  const response = await app.request("/chat", { headers });
  assertEquals([response.status, (await response.json()).status], [401, 401]);
});

Deno.test("security() + asks for the method that a request is overridden by", async () => {
  await using app = await appOf([Chat], { extensions: [guard()] });
  for (const name of ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"]) {
    const response = await app.request("/things", {
      method: "POST",
      headers: { [name]: "DELETE" },
    });
    assertEquals(await response.text(), "posted");
  }
  const made: { app?: { fetch: (request: Request) => Response | Promise<Response> } } = {};
  await using overriding = await appOf([Chat], {
    extensions: [guard()],
    middleware: [async (context, next) => {
      const hono = made.app as Parameters<typeof methodOverride>[0]["app"];
      return await methodOverride({ app: hono, header: "X-HTTP-Method-Override" })(context, next);
    }],
  });
  made.app = overriding.hono;
  const statuses = [];
  for (const headers of [{}, ADA]) {
    const init = { method: "POST", headers: { ...headers, "X-HTTP-Method-Override": "DELETE" } };
    statuses.push((await overriding.request("/things", init)).status);
  }
  assertEquals(statuses, [401, 403]);
});

Deno.test("security() + lets handlers of errors answer, with the challenge", async () => {
  @ControllerAdvice()
  class Errors {
    @ExceptionHandler(HttpError)
    any(error: HttpError) {
      return ResponseEntity.status(error.status).withJson({ own: error.message });
    }
  }
  await using app = await appOf([Chat, Errors], { extensions: [guard()] });
  const response = await app.request("/chat");
  assertEquals([response.status, response.headers.has("www-authenticate"), await response.json()], [
    401,
    true,
    { own: "Authentication is required" },
  ]);
});

Deno.test("security() + protects endpoints of extensions that are given after it, and their bodies", async () => {
  const extension: Extension = ({ contextPath }) => ({
    endpoints: [{
      method: "POST",
      path: `${contextPath}/own/:name`,
      respond: async ({ req }) => Response.json(await req.json()),
    }],
  });
  await using app = await appOf([Chat], {
    config: { server: { "max-body-size": 10 } },
    extensions: [guard(), extension],
  });
  const send = async (headers: HeadersInit, body: string, type = "application/json") => {
    const init = { method: "POST", headers: { ...headers, "Content-Type": type }, body };
    return (await app.request("/own/x", init)).status;
  };
  assertEquals([await send({}, "{}"), await send({}, "{"), await send({}, "x".repeat(20))], [
    401,
    401,
    401,
  ]);
  assertEquals([await send({}, "a", "text/plain"), await send(ADA, "a", "text/plain")], [401, 415]);
  assertEquals([await send(ADA, "{}"), await send(ADA, `"${"x".repeat(20)}"`)], [200, 413]);
});

Deno.test("security() + keeps the headers that middleware adds to refusals", async () => {
  await using app = await appOf([Chat], { extensions: [guard()], middleware: [secureHeaders()] });
  const { status, headers } = await app.request("/chat");
  assertEquals([status, headers.get("x-frame-options"), headers.has("www-authenticate")], [
    401,
    "SAMEORIGIN",
    true,
  ]);
});

Deno.test("annotations + are read from the classes that a controller extends", async () => {
  @Authenticated()
  class Base {
    @GetMapping("/inherited")
    all() {
      return "all";
    }
  }
  @RestController()
  class Sub extends Base {}
  await using app = await appOf([Sub], {
    extensions: [security({
      schemes: { password: basic({ users: [{ name: "ada", password: "engine" }] }) },
      default: "permitAll",
    })],
  });
  assertEquals((await app.request("/inherited")).status, 401);
});

class Ruled {
  @GetMapping("/roles")
  @RolesAllowed("admin")
  roles() {
    return "roles";
  }

  @GetMapping("/rule")
  @PreAuthorize((user: Principal) => user.name === "root")
  rule() {
    return "rule";
  }

  @GetMapping("/lower")
  @RolesAllowed("admin")
  @PreAuthorize((user: Principal) => user.name !== "guest")
  lower() {
    return "lower";
  }

  @GetMapping("/opened")
  @RolesAllowed("admin")
  @PreAuthorize(() => false)
  opened() {
    return "opened";
  }

  @GetMapping("/closed")
  @PermitAll()
  closed() {
    return "closed";
  }
}

@RestController()
class Overriding extends Ruled {
  @PreAuthorize(() => true)
  override roles() {
    return "roles";
  }

  @GetMapping("/rule")
  @RolesAllowed("user", "admin")
  override rule() {
    return "rule";
  }

  @RolesAllowed("user")
  override lower() {
    return "lower";
  }

  @PermitAll()
  override opened() {
    return "opened";
  }

  @PreAuthorize((user: Principal) => user.name === "ada")
  override closed() {
    return "closed";
  }
}

@RolesAllowed("admin")
class Whole {}

@RestController()
@PreAuthorize(() => true)
class Narrowed extends Whole {
  @GetMapping("/narrowed")
  narrowed() {
    return "narrowed";
  }
}

Deno.test("@PreAuthorize() + adds to what the class that is extended says, and replaces nothing of it", async () => {
  await using app = await appOf([Overriding, Narrowed], { extensions: [guard()] });
  const found: Record<string, string> = {};
  for (const path of ["roles", "rule", "lower", "opened", "closed", "narrowed"]) {
    const statuses: number[] = [];
    for (const caller of ["", "ada:engine", "root:of all"]) {
      const headers: HeadersInit = caller ? { Authorization: `Basic ${btoa(caller)}` } : {};
      statuses.push((await app.request(`/${path}`, { headers })).status);
    }
    found[path] = statuses.join(" ");
  }
  assertEquals(found, {
    roles: "401 403 200",
    rule: "401 403 200",
    // The nearest roles count, and no rule is lost.
    lower: "401 200 403",
    opened: "200 200 200",
    closed: "401 200 403",
    narrowed: "401 403 200",
  });
});
