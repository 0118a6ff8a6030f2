import { assertEquals, assertInstanceOf, assertStrictEquals, assertThrows } from "@std/assert";
import * as irori from "../../mod.ts";
import * as contract from "../../src/features/contract/mod.ts";
import * as securityParts from "../../src/features/security/mod.ts";
import {
  bootstrap,
  ControllerAdvice,
  decorate,
  ExceptionHandler,
  GetMapping,
  inject,
  OnReady,
  PathVariable,
  PostConstruct,
  RequestMapping,
  RestController,
  Service,
  Use,
} from "../../mod.ts";

Deno.test("decorate + a controller answers as one of the syntax does, with injection and binding", async () => {
  class UserService {
    name(id: number) {
      return `user ${id}`;
    }
  }
  decorate({ UserService }, {}, Service());
  class UserController {
    readonly users = inject(UserService);
    get(id: number) {
      return { id, name: this.users.name(id) };
    }
    fail() {
      throw new RangeError("too far");
    }
  }
  decorate(
    { UserController },
    {
      get: [GetMapping("/users/{id}", PathVariable("id", "int"))],
      fail: [
        GetMapping("/fail"),
        Use(async (context, next) => {
          await next();
          context.header("X-Used", "yes");
        }),
      ],
    },
    RestController(),
    RequestMapping("/api"),
  );
  class Advice {
    tooFar(error: RangeError) {
      return { error: error.message };
    }
  }
  decorate({ Advice }, { tooFar: [ExceptionHandler(RangeError)] }, ControllerAdvice());

  const components = [UserService, UserController, Advice];
  await using app = await bootstrap({ components, config: {} });
  assertEquals(await (await app.request("/api/users/7")).json(), { id: 7, name: "user 7" });
  assertEquals((await app.request("/api/users/x")).status, 400);
  const failed = await app.request("/api/fail");
  assertEquals([failed.headers.get("X-Used"), await failed.json()], ["yes", { error: "too far" }]);
  assertEquals(app.routeTable.map(({ handler }) => handler).sort(), [
    "fail",
    "get",
  ]);
});

Deno.test("decorate + a subclass inherits what was declared for its parent, and may replace it", async () => {
  class Base {
    kept() {
      return "kept";
    }
    replaced() {
      return "of the parent";
    }
  }
  decorate(Base, { kept: [GetMapping("/kept")], replaced: [GetMapping("/replaced")] });
  class Derived extends Base {
    override replaced() {
      return "of the child";
    }
  }
  decorate(Derived, { replaced: [GetMapping("/other")] }, RestController());
  await using app = await bootstrap({ components: [Derived], config: {} });
  assertEquals(await (await app.request("/kept")).text(), "kept");
  assertEquals(await (await app.request("/other")).text(), "of the child");
  assertEquals((await app.request("/replaced")).status, 404);
  assertStrictEquals(Object.getPrototypeOf(Derived[Symbol.metadata]!), Base[Symbol.metadata]);
});

Deno.test("decorate + decorators run from the last to the first, methods before the class, as the syntax does", () => {
  const decorators = (log: string[]) => (name: string) => (_: unknown, context: DecoratorContext) =>
    void log.push(`${name} ${context.kind} ${String(context.name)}`);
  const called: string[] = [];
  const byCall = decorators(called);
  class Order {
    first() {}
    second() {}
  }
  const { Order: Called } = { Order };
  decorate(
    Called,
    { first: [byCall("a"), byCall("b")], second: [byCall("c")] },
    byCall("d"),
    byCall("e"),
  );
  const written: string[] = [];
  const bySyntax = decorators(written);
  {
    @bySyntax("d")
    @bySyntax("e")
    class Order {
      @bySyntax("a")
      @bySyntax("b")
      first() {}
      @bySyntax("c")
      second() {}
    }
    assertEquals(typeof Order, "function");
  }
  assertEquals(called, written);
});

Deno.test("decorate + applies what decorators return, and what they initialize", async () => {
  const log: unknown[] = [];
  const twice = (method: () => number) =>
    function (this: unknown): number {
      return 2 * method.call(this);
    };
  const plusOne = (method: () => number) =>
    function (this: unknown): number {
      return 1 + method.call(this);
    };
  const initialized = (_: unknown, { addInitializer }: ClassMethodDecoratorContext) =>
    addInitializer(function () {
      log.push((this as Counter).count());
    });
  const registered = (_: unknown, { addInitializer, name }: ClassDecoratorContext) =>
    addInitializer(function () {
      log.push([this, name]);
    });
  class Counter {
    count() {
      return 3;
    }
    constructed() {
      log.push("constructed");
    }
  }
  decorate(
    { Counter },
    { constructed: [PostConstruct()], count: [twice, plusOne, initialized] },
    Service(),
    registered,
  );
  assertEquals(log, [[Counter, "Counter"]]);
  assertEquals(Object.keys(Counter.prototype), []);
  await using app = await bootstrap({ components: [Counter], config: {} });
  assertEquals(app.context.get(Counter).count(), 8);
  assertEquals(log.slice(1), [8, "constructed"]);
});

Deno.test("decorate + a decorator of the class may replace it", async () => {
  class Original {
    get() {
      return "here";
    }
  }
  const replacing = <C extends abstract new () => object>(type: C) => {
    // deno-lint-ignore no-explicit-any -- a mixin has to take any
    abstract class Replaced extends (type as abstract new (...args: any[]) => object) {
      readonly isReplaced = true;
    }
    return Replaced as unknown as C;
  };
  const Replaced = decorate(
    { Original },
    { get: [GetMapping("/")] },
    RestController("api"),
    replacing,
  );
  assertEquals(Replaced === Original, false);
  await using app = await bootstrap({ components: [Replaced], config: {} });
  assertEquals(await (await app.request("/")).text(), "here");
  assertInstanceOf(app.context.getByName("api"), Original);
});

Deno.test("decorate + { Name } names a class whose name was shortened", async () => {
  const minified = { a: class {} }.a;
  decorate({ MailService: minified }, {}, Service());
  await using app = await bootstrap({ components: [minified], config: {} });
  assertEquals(minified.name, "MailService");
  assertInstanceOf(app.context.getByName("mailService"), minified);
});

Deno.test("decorate + a class with decorators of the syntax keeps them", async () => {
  @RestController()
  class Both {
    @GetMapping("/a")
    a() {
      return "a";
    }
    b() {
      return "b";
    }
  }
  decorate(Both, { b: [GetMapping("/b")] });
  await using app = await bootstrap({ components: [Both], config: {} });
  assertEquals(
    await (await app.request("/a")).text() + await (await app.request("/b")).text(),
    "ab",
  );
});

for (
  const [name, decorated, message] of [
    [
      "a name that does not exist",
      { gett: [OnReady()] },
      "Cannot decorate 'gett' of 'Some': expected a public method of the class itself; static and private (#name) methods cannot be decorated, and fields are set by users = inject(UserService)",
    ],
    [
      "a field",
      { field: [OnReady()] },
      "Cannot decorate 'field' of 'Some': expected a public method of the class itself; static and private",
    ],
    [
      "a method of the parent",
      { inherited: [OnReady()] },
      "Cannot decorate 'inherited' of 'Some': expected a public method of the class itself; declare it in 'Some'",
    ],
    [
      "a getter",
      { getter: [OnReady()] },
      "Cannot decorate 'getter' of 'Some': expected a public method of the class itself; getters, setters",
    ],
    [
      "the constructor",
      { constructor: [OnReady()] },
      "Cannot decorate 'constructor' of 'Some': expected a public method",
    ],
    [
      "no list",
      { get: OnReady() },
      "Cannot decorate 'get' of 'Some': expected a list of decorators, found function",
    ],
    [
      "no decorator",
      { get: ["/users"] },
      "Cannot decorate 'get' of 'Some': expected a decorator such as RestController(), found string",
    ],
    [
      "a decorator without its call",
      { get: [OnReady] },
      "Cannot apply @OnReady to 'get': expected @OnReady()",
    ],
    [
      "a decorator that returns something else",
      { get: [() => 1] },
      "Cannot decorate 'get' of 'Some': expected a decorator that returns a function or nothing, found number",
    ],
  ] as const
) {
  Deno.test(`decorate - ${name}`, () => {
    class Parent {
      inherited() {}
    }
    class Some extends Parent {
      field = 1;
      get() {}
      get getter() {
        return () => {};
      }
    }
    assertThrows(() => decorate(Some, decorated as never), TypeError, message);
  });
}

for (
  const [name, methods] of [
    ["a decorator of the class", Service()],
    ["nothing", undefined],
    ["null", null],
  ] as const
) {
  Deno.test(`decorate - ${name} in place of the decorators of methods`, () => {
    const message =
      "Cannot decorate 'Some': expected an object with the decorators of its methods as the second argument, {} for none";
    assertThrows(() => decorate(class Some {}, methods as never), TypeError, message);
  });
}

Deno.test("decorate + decorates a method that is named by a symbol, as the syntax does", () => {
  const two = () => () => 2;
  const key = Symbol("key");
  class Some {
    [key](): number {
      return 1;
    }
  }
  decorate(Some, { [key]: [two] });
  assertEquals(new Some()[key](), 2);
  const message = "Cannot apply @GetMapping to 'Symbol(key)': expected a public instance method";
  assertThrows(() => decorate(Some, { [key]: [GetMapping("/")] }), Error, message);
});

Deno.test("decorate + a class that is replaced after other decorators runs its middleware once", async () => {
  const log: string[] = [];
  class Original {
    @Use(async (_, next) => {
      log.push("used");
      await next();
    })
    @GetMapping("/")
    get() {
      return "here";
    }
  }
  const replacing = (type: typeof Original) => class extends type {};
  const Replaced = decorate({ Original }, {}, RestController("api"), replacing);
  await using app = await bootstrap({ components: [Replaced], config: {} });
  assertEquals(await (await app.request("/")).text(), "here");
  assertEquals(log, ["used"]);
});

for (
  const [name, type, message] of [
    [
      "undefined",
      undefined,
      "Cannot decorate 'undefined': expected a class, or { UserController } with one class",
    ],
    ["an empty object", {}, "Cannot decorate '[object Object]': expected a class"],
    [
      "two classes",
      { A: class {}, B: class {} },
      "Cannot decorate 'A': expected a class, or { UserController } with one class",
    ],
    ["a function without a class", () => {}, "expected a class, or { UserController }"],
    ["the same in braces", { get: () => {} }, "Cannot decorate 'get': expected a class"],
    [
      "a class with a static name",
      class {
        static name() {}
      },
      "expected a class without a static member 'name', which hides its name",
    ],
    [
      "a frozen class",
      { Users: Object.freeze(class {}) },
      "Cannot decorate 'Users': expected a class that is not frozen",
    ],
    [
      "a class that is not defined yet",
      { A: undefined },
      "modules that import each other may not have defined it yet",
    ],
  ] as const
) {
  Deno.test(`decorate - ${name} in place of a class`, () => {
    assertThrows(() => decorate(type as never, {} as never), TypeError, message);
  });
}

/** Every decorator that is exported, as it is applied: to a class, to a method, or not at all. */
const APPLIED: Readonly<
  Record<string, "field" | "no decorator" | readonly ["class" | "method", unknown]>
> = {
  Authenticated: ["method", securityParts.Authenticated()],
  Autowired: "field",
  Bean: ["method", irori.Bean()],
  Component: ["class", irori.Component()],
  Configuration: ["class", irori.Configuration()],
  ControllerAdvice: ["class", irori.ControllerAdvice()],
  CookieValue: "no decorator",
  CurrentUser: "no decorator",
  DeleteMapping: ["method", irori.DeleteMapping("/")],
  ExceptionHandler: ["method", irori.ExceptionHandler(RangeError)],
  FormParam: "no decorator",
  GetMapping: ["method", irori.GetMapping("/")],
  Model: "no decorator",
  OnReady: ["method", irori.OnReady()],
  Operation: ["method", contract.Operation({})],
  PatchMapping: ["method", irori.PatchMapping("/")],
  PathVariable: "no decorator",
  PermitAll: ["class", securityParts.PermitAll()],
  PostConstruct: ["method", irori.PostConstruct()],
  PostMapping: ["method", irori.PostMapping("/")],
  PreAuthorize: ["method", securityParts.PreAuthorize(() => true)],
  PreDestroy: ["method", irori.PreDestroy()],
  Primary: ["class", irori.Primary()],
  Problem: "no decorator",
  Profile: ["class", irori.Profile("test")],
  PutMapping: ["method", irori.PutMapping("/")],
  Qualifier: "field",
  RequestBody: "no decorator",
  RequestHeader: "no decorator",
  RequestMapping: ["class", irori.RequestMapping("/")],
  RequestParam: "no decorator",
  RequestPart: "no decorator",
  RestController: ["class", irori.RestController()],
  RolesAllowed: ["method", securityParts.RolesAllowed("admin")],
  Scope: ["class", irori.Scope("prototype")],
  Service: ["class", irori.Service()],
  Use: ["method", irori.Use()],
  Value: "field",
};

Deno.test("decorate + accepts every decorator of methods and classes that is exported", async (test) => {
  const exported = Object.entries({ ...irori, ...contract, ...securityParts })
    .filter(([name, value]) => /^[A-Z][a-z]/.test(name) && typeof value === "function")
    .filter(([, value]) => !/^class/.test(Function.prototype.toString.call(value)))
    .map(([name]) => name);
  assertEquals(exported.toSorted(), Object.keys(APPLIED).toSorted());
  for (const [name, applied] of Object.entries(APPLIED)) {
    if (typeof applied === "string") continue;
    await test.step(name, () => {
      const [kind, decorator] = applied;
      const written = class Some {
        get() {}
      };
      const called = class Some {
        get() {}
      };
      const apply = decorator as (target: unknown, context: unknown) => void;
      if (kind === "class") {
        decorate(called, {}, apply);
        apply(written, contextOf("class", "Some", written));
      } else {
        decorate(called, { get: [apply as never] });
        apply(written.prototype.get, contextOf("method", "get", written));
      }
      const [ofCalled, ofWritten] = [called, written].map((type) => {
        const metadata = type[Symbol.metadata]!;
        return Deno.inspect(metadata, { depth: 9 });
      });
      assertEquals(ofCalled, ofWritten);
    });
  }
});

/** A context as compilers make it. */
function contextOf(kind: string, name: string, type: object) {
  const metadata = Object.create(null);
  Object.defineProperty(type, Symbol.metadata, { value: metadata });
  return { kind, name, static: false, private: false, metadata, addInitializer() {} };
}
