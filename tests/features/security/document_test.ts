import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Validator } from "@seriousme/openapi-schema-validator";
import { z } from "zod";
import { compareOpenApi, openApi } from "../../../src/features/contract/mod.ts";
import { VerificationError, verify } from "../../../src/features/testing/mod.ts";
import {
  apiKey,
  type AuthenticationScheme,
  basic,
  CurrentUser,
  jwt,
  PermitAll,
  PreAuthorize,
  type Principal,
  RolesAllowed,
  security,
} from "../../../src/features/security/mod.ts";
import {
  type Application,
  type Extension,
  GetMapping,
  type HttpRequest,
  PathVariable,
  PostMapping,
  RequestBody,
  RestController,
  Use,
} from "../../../mod.ts";
import { appOf } from "../../web/helpers.ts";

@RestController()
class Issues {
  @GetMapping(
    { path: "/issues/{id}", returns: z.object({ id: z.number() }) },
    PathVariable("id", "int"),
  )
  @RolesAllowed("user", "admin")
  one(id: number) {
    return { id };
  }

  @PostMapping(
    { path: "/issues", returns: z.object({ is: z.string() }) },
    RequestBody(z.object({ title: z.string() })),
  )
  @PreAuthorize((user: Principal) => user.name === "ada")
  create({ title }: { title: string }) {
    return { is: title };
  }

  @GetMapping({ path: "/open", returns: z.object({ is: z.string() }) })
  @PermitAll()
  open() {
    return { is: "open" };
  }

  @GetMapping(
    { path: "/maybe", returns: z.object({ is: z.string() }) },
    CurrentUser({ required: false }),
  )
  @PermitAll()
  maybe(user: Principal | undefined) {
    return { is: user?.name ?? "anonymous" };
  }
}

class Own implements AuthenticationScheme {
  readonly challenge = "Session";
  authenticate({ raw }: HttpRequest): Principal | undefined {
    return raw.headers.has("x-own") ? { name: "own" } : undefined;
  }
}

const USERS = [{ name: "ada", password: "engine", roles: ["user", "admin"] }];
const ADA = { Authorization: `Basic ${btoa("ada:engine")}` };

function applicationOf(...extensions: Extension[]): Promise<Application> {
  return appOf([Issues], { extensions });
}

async function documentOf(app: Application, headers: HeadersInit) {
  return await (await app.request("/openapi.json", { headers })).json();
}

Deno.test("openApi() + describes schemes, requirements and refusals of security(), before or after it", async () => {
  const guard = security({
    schemes: {
      token: jwt({ issuer: "i", audience: "a", secret: "a secret of at least thirty-two bytes" }),
      password: basic({ users: USERS }),
      key: apiKey({ in: "query", name: "key", keys: [{ key: "k1", name: "k", roles: ["user"] }] }),
      own: Own,
    },
  });
  for (const extensions of [[openApi(), guard], [guard, openApi()]]) {
    await using app = await applicationOf(...extensions);
    const document = await documentOf(app, { "X-Own": "1" });
    assertEquals((await new Validator().validate(structuredClone(document))).valid, true);
    assertEquals(document.components.securitySchemes, {
      token: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      password: { type: "http", scheme: "basic" },
      key: { type: "apiKey", in: "query", name: "key" },
      own: { type: "http", scheme: "session" },
    });
    const names = ["token", "password", "key", "own"];
    const { "/issues/{id}": one, "/issues": all, "/open": open, "/maybe": maybe } = document.paths;
    assertEquals(one.get.security, [
      ...names.map((name) => ({ [name]: ["user"] })),
      ...names.map((name) => ({ [name]: ["admin"] })),
    ]);
    assertEquals(Object.keys(one.get.responses), ["200", "400", "401", "403", "default"]);
    assertEquals(all.post.security, names.map((name) => ({ [name]: [] })));
    assertEquals(Object.keys(all.post.responses).slice(0, 4), ["200", "400", "401", "403"]);
    assertEquals([open.get.security, Object.keys(open.get.responses)], [[], ["200", "default"]]);
    assertEquals(maybe.get.security[0], {});
    assertEquals(Object.keys(maybe.get.responses), ["200", "401", "default"]);
    assertEquals(
      Object.keys(one.get.responses[401].content),
      ["application/problem+json"],
    );
  }
});

Deno.test("compareOpenApi() + sees schemes and roles that changed", async () => {
  const of = async (type: new () => object, users = USERS, key = false) => {
    const schemes = key
      ? { password: apiKey({ keys: [{ key: "k", name: "k", roles: ["user", "admin"] }] }) }
      : { password: basic({ users }) };
    await using app = await appOf([type], { extensions: [openApi(), security({ schemes })] });
    return await documentOf(app, { ...ADA, "X-API-Key": "k" });
  };
  const typeOf = (...roles: [string, ...string[]]) => {
    @RestController("issues")
    class Issues {
      @GetMapping("/issues")
      @RolesAllowed(...roles)
      all() {}
    }
    return Issues;
  };
  const both = await of(typeOf("user", "admin"));
  const admin = await of(typeOf("admin"));
  const breaking = (before: unknown, after: unknown) =>
    compareOpenApi(before, after).breaking.map(({ where, what }) => `${where}: ${what}`);
  assertEquals(breaking(both, both), []);
  assertEquals(breaking(admin, both), []);
  assertEquals(breaking(both, admin), ["security: changed"]);
  assertEquals(breaking(both, await of(typeOf("user", "admin"), USERS, true)), [
    "security: scheme changed",
  ]);
});

Deno.test("verify() + knows what security() refuses, with credentials and without", async () => {
  const guard = () => security({ schemes: { password: basic({ users: USERS }) } });
  await using app = await applicationOf(guard());
  await verify(app);
  await verify(app, { headers: ADA });
  const error = await assertRejects(
    () => verify(app, { headers: { Authorization: "Basic YTpi" } }),
    VerificationError,
  );
  assertStringIncludes(error.message, "status 401 with the headers that were given");
});

Deno.test("verify() + finds what answers without credentials although it should not", async () => {
  @RestController()
  class Leaky {
    @GetMapping("/leaky")
    @Use(async (context, next) => {
      await next();
      if (context.res.status === 401) context.res = new Response('""', context.res);
      context.res = Response.json("leaked");
    })
    all() {
      return "all";
    }
  }
  await using app = await appOf([Leaky], {
    extensions: [security({ schemes: { password: basic({ users: USERS }) } })],
  });
  const error = await assertRejects(() => verify(app, { headers: ADA }), VerificationError);
  assertStringIncludes(error.message, "GET /leaky: status 200 without credentials, expected 401");
});
