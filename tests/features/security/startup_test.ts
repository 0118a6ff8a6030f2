import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import {
  apiKey,
  Authenticated,
  basic,
  CurrentUser,
  jwt,
  PermitAll,
  PreAuthorize,
  type Principal,
  RolesAllowed,
  type SchemeFactory,
  security,
  type SecurityOptions,
} from "../../../src/features/security/mod.ts";
import { type Extension, GetMapping, MappingError, RestController, Service } from "../../../mod.ts";
import type { Constructor } from "../../../src/container/mod.ts";
import { appOf } from "../../web/helpers.ts";

const SCHEMES = {
  password: basic({ users: [{ name: "ada", password: "engine", roles: ["user"] }] }),
};

@RestController()
class Plain {
  @GetMapping("/plain")
  plain() {
    return "plain";
  }
}

async function refusal(
  type: Constructor,
  options?: Partial<SecurityOptions> | Extension[],
): Promise<string> {
  const extensions = Array.isArray(options)
    ? options
    : options
    ? [security({ schemes: SCHEMES, ...options })]
    : [];
  const error = await assertRejects(() => appOf([type], { extensions }), MappingError);
  return error.message;
}

Deno.test("annotations + are an error at startup where security() is not installed", async () => {
  @RestController()
  class Method {
    @GetMapping("/x")
    @RolesAllowed("user")
    x() {}
  }
  @RestController()
  @Authenticated()
  class Whole {
    @GetMapping("/x")
    x() {}
  }
  @RestController()
  class Open {
    @GetMapping("/x")
    @PermitAll()
    x() {}
  }
  @RestController()
  class Ruled {
    @GetMapping("/x")
    @PreAuthorize(() => true)
    x() {}
  }
  @RestController()
  class Bound {
    @GetMapping("/x", CurrentUser())
    x(user: Principal) {
      return user;
    }
  }
  for (const type of [Method, Whole, Open, Ruled, Bound]) {
    assertStringIncludes(
      await refusal(type),
      `'${type.name}.x': expected security() of '@irori/irori/security' among the extensions`,
    );
  }
  // A wrapped scheme would not be asked before the others.
  const wrapped: Extension = (application) => security({ schemes: SCHEMES })(application);
  assertStringIncludes(
    await refusal(Plain, [wrapped]),
    "Expected security() once, found it inside of another",
  );
  const twice = [security({ schemes: SCHEMES }), security({ schemes: SCHEMES })];
  assertStringIncludes(await refusal(Plain, twice), "Expected security() once, found it twice");
});

Deno.test("annotations + are an error at startup where they protect nothing", async () => {
  @Service()
  class Repository {
    @RolesAllowed("user")
    all() {}
  }
  @RestController()
  class Unmapped {
    @Authenticated()
    helper() {}
  }
  @Service()
  @Authenticated()
  class Whole {}
  const table: [Constructor, string][] = [
    [Repository, "'all' has @RolesAllowed, but the class has no @RestController()"],
    [Unmapped, "'helper' has @Authenticated, but no mapping"],
    [Whole, "it has @Authenticated, but the class has no @RestController()"],
  ];
  for (const [type, message] of table) {
    assertStringIncludes(await refusal(type, {}), message);
    assertStringIncludes(await refusal(type), message);
  }
});

Deno.test("annotations + that contradict each other on one target are an error at startup", async () => {
  @RestController()
  class Both {
    @GetMapping("/x")
    @PermitAll()
    @RolesAllowed("user")
    x() {}
  }
  @RestController()
  class Twice {
    @GetMapping("/x")
    @RolesAllowed("user")
    @RolesAllowed("admin")
    x() {}
  }
  @RestController()
  class OpenRule {
    @GetMapping("/x")
    @PermitAll()
    @PreAuthorize(() => true)
    x() {}
  }
  @RestController()
  @Authenticated()
  @PermitAll()
  class Whole {
    @GetMapping("/x")
    x() {}
  }
  const table: [Constructor, string][] = [
    [Both, "'Both.x': @PermitAll and @RolesAllowed contradict each other"],
    [Twice, "'Twice.x': @RolesAllowed and @RolesAllowed contradict each other"],
    [OpenRule, "'OpenRule.x': @PermitAll and @PreAuthorize contradict each other"],
    [Whole, "the class 'Whole': @Authenticated and @PermitAll contradict each other"],
  ];
  for (const [type, message] of table) assertStringIncludes(await refusal(type, {}), message);
});

Deno.test("security() + refuses a role that no scheme can give, where all say which they can", async () => {
  @RestController()
  class Misspelt {
    @GetMapping("/x")
    @RolesAllowed("user", "amdin")
    x() {}
  }
  const message = "'misspelt.x()': no scheme grants the role 'amdin', expected one of 'user'";
  assertStringIncludes(await refusal(Misspelt, {}), message);
  const paths = { "/docs": { roles: ["ops"] } };
  assertStringIncludes(
    await refusal(Plain, { paths }),
    "'/docs': no scheme grants the role 'ops', expected one of 'user'",
  );
  // One scheme may give any role.
  const open = apiKey({ verify: () => undefined });
  const app = await appOf([Misspelt], {
    extensions: [security({ schemes: { ...SCHEMES, open } })],
  });
  await app.close();
});

Deno.test("security() + refuses options that cannot be meant", async () => {
  const table: [Partial<SecurityOptions>, string][] = [
    [{ schemes: {} }, "expected one scheme or more"],
    [{ schemes: { "a b": SCHEMES.password } }, "Cannot use the scheme 'a b'"],
    [{ schemes: { x: {} as never } }, "expected jwt(), basic(), apiKey() or a class"],
    [{ default: "open" as never }, "expected 'authenticated' or 'permitAll' as default"],
    [{ realm: 'a"b' }, "expected a realm without quotation marks"],
    [{ paths: { docs: "permitAll" } }, "Cannot protect the path 'docs': expected a whole path"],
    [{ paths: { "/a/*/b": "permitAll" } }, "Cannot protect the path '/a/*/b'"],
    [{ paths: { "/x/../y": "permitAll" } }, "Cannot protect the path '/x/../y': expected a whole"],
    [{ paths: { "/x/./y/**": "permitAll" } }, "Cannot protect the path '/x/./y/**'"],
    [{ path: {} } as never, "Unknown option 'path': did you mean 'paths'?"],
    [
      { zzzzzzzz: 1 } as never,
      "Unknown option 'zzzzzzzz': expected one of schemes, default, paths, middleware, realm",
    ],
    [{ paths: { "/docs": "open" as never } }, "expected 'permitAll', 'authenticated' or { roles"],
    [{ paths: { "/docs": { roles: [] } } }, "expected 'permitAll', 'authenticated' or { roles"],
    [{ paths: { "/**": "permitAll" } }, "Cannot protect the path '/**': plain.plain() handles"],
    [
      { paths: { "/plain": "permitAll" } },
      "Cannot protect the path '/plain': plain.plain() handles '/plain', and annotations define the access to routes; " +
      "use 'paths' only for endpoints of extensions and mounted applications",
    ],
  ];
  for (const [options, message] of table) {
    assertStringIncludes(await refusal(Plain, options), message);
  }
});

Deno.test("security() + without options says what it expects", async () => {
  for (const given of [undefined, null, 7, () => undefined]) {
    const error = await assertRejects(
      () => appOf([Plain], { extensions: [security(given as never)] }),
      MappingError,
    );
    assertStringIncludes(error.message, "Cannot use security(): expected options with 'schemes'");
  }
});

Deno.test("security() + refuses a challenge that cannot be sent", async () => {
  for (const challenge of ["", " Own", "Schlüssel", 'Own a="–"', "Own\r\nX-Other: 1", "a/b", 7]) {
    class Own {
      readonly challenge = challenge as string;
      authenticate() {
        return undefined;
      }
    }
    assertStringIncludes(
      await refusal(Plain, { schemes: { own: Own } }),
      "Cannot use the scheme 'own': expected a challenge such as 'Bearer'",
    );
  }
});

Deno.test("security() + refuses a challenge with a realm, which it adds itself", async () => {
  const table: [challenge: string, isRefused: boolean][] = [
    ['Bearer realm="shop"', true],
    ['Bearer scope="read", Realm = shop', true],
    ['Bearer scope="read",realm="shop"', true],
    ["Bearer", false],
    ['Bearer scope="realm"', false],
    ['Bearer own-realm="shop"', false],
    ["Realm", false],
  ];
  for (const [challenge, isRefused] of table) {
    class Own {
      readonly challenge = challenge;
      authenticate() {
        return undefined;
      }
    }
    const extensions = [security({ schemes: { own: Own } })];
    if (isRefused) {
      assertStringIncludes(await refusal(Plain, extensions), "'realm' is an option of security()");
      continue;
    }
    const app = await appOf([Plain], { extensions });
    const sent = (await app.request("/plain")).headers.get("WWW-Authenticate") ?? "";
    assertEquals(sent.match(/(?<![\w-])realm=/g)?.length, 1, sent);
  }
});

Deno.test("security() + is an error where what is marked as it protects nothing", async () => {
  const marked = Object.assign(() => undefined, { isGuard: true as const });
  const without = Object.assign(() => Promise.resolve({}), { isGuard: true as const });
  for (const extension of [marked, without]) {
    assertStringIncludes(
      await refusal(Plain, [extension]),
      "Expected a 'guard' of the extension with 'isGuard', found none",
    );
  }
});

Deno.test("basic() and apiKey() + refuse options of which one would be ignored", async () => {
  const users = [{ name: "ada", password: "engine" }];
  const keys = [{ name: "ada", key: "k1" }];
  const verify = () => undefined;
  const table: [SchemeFactory, string][] = [
    [basic({ users, verify }), "'x': expected one of 'users' and 'verify'"],
    [
      apiKey({ keys, cookie: "a" } as never),
      "'x': Unknown option 'cookie': expected one of in,",
    ],
    [apiKey({ keys, nam: "a" } as never), "'x': Unknown option 'nam': did you mean 'name'"],
    [basic({ user: users } as never), "'x': Unknown option 'user': did you mean 'users'?"],
    [
      jwt({ algorithm: "RS256" } as never),
      "'x': Unknown option 'algorithm': did you mean 'alg",
    ],
    [basic({}), "'x': expected one of 'users' and 'verify'"],
    [basic({ users: [] }), "'x': expected one of 'users' and 'verify'"],
    [
      basic({ users, knownRoles: [] }),
      "'x': 'knownRoles' can only be given together with 'verify'",
    ],
    [apiKey({ keys, verify }), "'x': expected one of 'keys' and 'verify'"],
    [apiKey({}), "'x': expected one of 'keys' and 'verify'"],
    [
      apiKey({ keys, knownRoles: [] }),
      "'x': 'knownRoles' can only be given together with 'verify'",
    ],
    [
      basic({ users: [...users, { name: "ada", password: "other" }] }),
      "'x': expected unique 'users', but 'ada' repeats one",
    ],
    [
      apiKey({ keys: [...keys, { name: "grace", key: "k1" }] }),
      "'x': expected unique 'keys', but 'grace' repeats one",
    ],
  ];
  for (const [x, message] of table) {
    const extensions = [security({ schemes: { x } })];
    const error = await assertRejects(() => appOf([Plain], { extensions }), TypeError);
    assertStringIncludes(error.message, message);
    assertEquals(/k1|engine|other/.test(error.message), false);
  }
  // Several keys of one client are rotated this way.
  await using _ = await appOf([Plain], {
    extensions: [security({
      schemes: { x: apiKey({ keys: [...keys, { name: "ada", key: "k2" }] }) },
    })],
  });
});

Deno.test("CurrentUser() + of a route for everybody has to be optional", async () => {
  @RestController()
  class Open {
    @GetMapping("/x", CurrentUser())
    @PermitAll()
    x(user: Principal) {
      return user;
    }
  }
  assertStringIncludes(await refusal(Open, {}), "expected CurrentUser({ required: false })");
});

Deno.test("annotations + are refused where no handler can be", () => {
  assertThrows(
    () => {
      class Static {
        @Authenticated()
        static x() {}
      }
      return Static;
    },
    MappingError,
    "found a static method",
  );
  assertThrows(() => RolesAllowed("user", ""), MappingError, "expected names of roles");
  assertThrows(() => RolesAllowed(...[] as unknown as [string]), MappingError, "expected names");
  assertEquals(typeof PermitAll(), "function");
});
