import { assertEquals, assertThrows } from "@std/assert";
import {
  DeleteMapping,
  GetMapping,
  MappingError,
  PathVariable,
  PostMapping,
  RequestMapping,
  RestController,
  Use,
} from "../../mod.ts";
import type { Constructor } from "../../src/container/mod.ts";
import { routeTable, type ServedRoute } from "../../src/web/mod.ts";

function tableOf(...types: readonly Constructor[]): readonly ServedRoute[] {
  return routeTable(types.map((type) => ({ name: type.name, type })));
}

function texts(routes: readonly ServedRoute[]): string[] {
  return routes.map(({ method, path, handler }) => `${method} ${path} ${handler}`);
}

Deno.test("routeTable() + joins prefix and path with one slash, and adds a missing one", async (t) => {
  const cases: readonly (readonly [prefix: string, path: string, joined: string])[] = [
    ["", "", "/"],
    ["", "/", "/"],
    ["", "users", "/users"],
    ["/users", "", "/users"],
    ["users", "{id}", "/users/{id}"],
    ["/users/", "/{id}", "/users/{id}"],
    ["/users", "/", "/users/"],
    ["/", "/users", "/users"],
  ];
  for (const [prefix, path, joined] of cases) {
    await t.step(`'${prefix}' and '${path}'`, () => {
      @RestController()
      @RequestMapping(prefix)
      class Controller {
        @GetMapping(path)
        handle() {}
      }
      assertEquals(tableOf(Controller).map(({ path }) => path), [joined]);
    });
  }
});

Deno.test("routeTable() + sorts by specificity and freezes what it gives", () => {
  @RestController()
  class Controller {
    @GetMapping("/**")
    rest() {}
    @GetMapping("/users/{id}")
    get() {}
    @PostMapping("/users/{id}")
    post() {}
    @GetMapping("/users/search")
    search() {}
  }
  const table = tableOf(Controller);
  assertEquals(texts(table), [
    "GET /users/search search",
    "GET /users/{id} get",
    "POST /users/{id} post",
    "GET /** rest",
  ]);
  assertEquals([Object.isFrozen(table), Object.isFrozen(table[0])], [true, true]);
});

Deno.test("routeTable() + leaves out classes that are no controllers", () => {
  class Base {
    @GetMapping("/plain")
    handle() {}
  }
  class Subclass extends Base {}
  class Plain {}
  assertEquals(tableOf(Subclass, Plain), []);
});

Deno.test("routeTable() + refuses what would be without effect", async (t) => {
  await t.step("a mapping on a class without @RestController()", () => {
    class Forgotten {
      @GetMapping("/plain")
      handle() {}
    }
    assertThrows(
      () => tableOf(Forgotten),
      MappingError,
      "Cannot map 'Forgotten': 'handle' has a mapping, but the class has no @RestController()",
    );
  });
  await t.step("two prefixes", () => {
    @RestController()
    @RequestMapping("/a")
    @RequestMapping("/b")
    class Twice {}
    assertThrows(
      () => tableOf(Twice),
      MappingError,
      "Cannot map 'Twice': expected one @RequestMapping(prefix) on the class, found 2",
    );
  });
  await t.step("@Scope('prototype')", () => {
    @RestController()
    class Fresh {}
    assertThrows(
      () => routeTable([{ name: "fresh", type: Fresh, scope: "prototype" }]),
      MappingError,
      "Cannot map 'Fresh': a controller must be a singleton; remove @Scope(\"prototype\")",
    );
  });
});

Deno.test("routeTable() + counts inherited handlers, and lets a subclass map them again", () => {
  @RequestMapping("/base")
  class Base {
    @GetMapping("/kept")
    kept() {}
    @GetMapping("/old")
    moved() {}
    @GetMapping("/overridden")
    overridden() {}
  }
  class Middle extends Base {}
  @RestController()
  class First extends Middle {
    @GetMapping("/new")
    override moved() {}
    override overridden() {}
    @PostMapping("/own")
    own() {}
  }
  @RestController()
  @RequestMapping("/second")
  class Second extends Middle {}
  assertEquals(texts(tableOf(First)), [
    "GET /base/kept kept",
    "GET /base/new moved",
    "GET /base/overridden overridden",
    "POST /base/own own",
  ]);
  assertEquals(texts(tableOf(Second)), [
    "GET /second/kept kept",
    "GET /second/old moved",
    "GET /second/overridden overridden",
  ]);
});

Deno.test("routeTable() + puts middleware of the class before that of the method", () => {
  const [a, b, c] = [1, 2, 3].map(() => (_: unknown, next: () => Promise<void>) => next());
  @RestController()
  @Use(a!)
  class Controller {
    @GetMapping()
    @Use(b!, c!)
    both() {}
    @PostMapping()
    one() {}
  }
  const [get, post] = tableOf(Controller);
  assertEquals([get?.middleware, post?.middleware], [[a, b, c], [a]] as never);
});

Deno.test("GetMapping() + refuses what is no binder, where the compiler was not asked", () => {
  for (const found of [PathVariable, "id", undefined]) {
    assertThrows(
      () => {
        @RestController()
        class _Controller {
          @GetMapping("/{id}", PathVariable("id"), found as never)
          get(_id: string) {}
        }
      },
      MappingError,
      `Cannot map 'get': expected a binder such as RequestParam("name") for parameter 2, found ${typeof found}`,
    );
  }
});

Deno.test("routeTable() + refuses two handlers that no request tells apart, and names both", async (t) => {
  const twins: readonly (readonly [string, string])[] = [
    ["/users/{id}", "/users/{name}"],
    ["/a", "a"],
    ["/**", "/{*rest}"],
    ["/{a:\\d+}", "/{b:\\d+}"],
  ];
  for (const [first, second] of twins) {
    await t.step(`${first} and ${second}`, () => {
      @RestController()
      class One {
        @GetMapping(first)
        handle() {}
      }
      @RestController()
      class Two {
        @GetMapping(second)
        handle() {}
      }
      const error = assertThrows(() => tableOf(One, Two), MappingError);
      assertEquals([...error.handlers].sort(), ["One.handle", "Two.handle"]);
      for (const part of [first, "'One.handle'", "'Two.handle'"]) {
        assertEquals(error.message.includes(part), true, error.message);
      }
    });
  }
});

Deno.test("routeTable() + takes handlers that some request tells apart", () => {
  @RestController()
  class Controller {
    @GetMapping("/a")
    get() {}
    @DeleteMapping("/a")
    remove() {}
    @GetMapping("/a/")
    slash() {}
    @GetMapping({ path: "/a", produces: "text/plain" })
    text() {}
    @GetMapping({ path: "/a", produces: ["text/plain", "text/html"] })
    texts() {}
    @PostMapping({ path: "/a", consumes: "text/plain" })
    post() {}
    @PostMapping({ path: "/a", consumes: "text/*" })
    postAny() {}
    @GetMapping("/{v}")
    variable() {}
    @GetMapping("/*")
    wildcard() {}
  }
  assertEquals(tableOf(Controller).length, 9);
});

Deno.test("routeTable() + refuses the same types in another order", () => {
  @RestController()
  class Controller {
    @GetMapping({ path: "/a", produces: ["text/html", "text/plain"] })
    one() {}
    @GetMapping({ path: "/a", produces: ["Text/Plain", "text/html;charset=UTF-8"] })
    two() {}
  }
  assertThrows(() => tableOf(Controller), MappingError, "Two handlers match the same requests");
});

Deno.test("routeTable() + says what is wrong with a mapping, and whose it is", async (t) => {
  await t.step("a variable twice, once in the prefix", () => {
    @RestController()
    @RequestMapping("/{id}")
    class Controller {
      @GetMapping("/{id}", PathVariable("id"))
      handle() {}
    }
    assertThrows(
      () => tableOf(Controller),
      MappingError,
      "Cannot read the path '/{id}/{id}': the variable 'id' is declared twice (mapped to 'Controller.handle')",
    );
  });
  await t.step("HEAD", () => {
    assertThrows(
      () => {
        class Controller {
          @RequestMapping({ path: "/a", method: "HEAD" as "GET" })
          handle() {}
        }
        return Controller;
      },
      MappingError,
      `Cannot map 'handle': expected a method such as "GET", which answers HEAD, found 'HEAD'`,
    );
  });
  await t.step("no media type", () => {
    @RestController()
    class Controller {
      @PostMapping({ path: "/a", consumes: ["text/plain", "json"] })
      handle() {}
    }
    assertThrows(
      () => tableOf(Controller),
      MappingError,
      "Cannot map 'Controller.handle': consumes 'json' is not a media type",
    );
  });
  await t.step("a wildcard to produce", () => {
    @RestController()
    class Controller {
      @GetMapping({ path: "/a", produces: "text/*" })
      handle() {}
    }
    assertThrows(
      () => tableOf(Controller),
      MappingError,
      "Cannot map 'Controller.handle': produces 'text/*' must not contain a wildcard",
    );
  });
});
