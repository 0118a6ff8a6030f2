import { assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import type { Context, MiddlewareHandler, Next } from "hono";
import {
  Autowired,
  Bean,
  BeanCreationError,
  Component,
  Configuration,
  GetMapping,
  HttpError,
  inject,
  MappingError,
  type Middleware,
  PostConstruct,
  PreDestroy,
  RestController,
  Scope,
  Service,
  Use,
  Value,
} from "../../mod.ts";
import { appOf, logged } from "./helpers.ts";

@Service()
class Counters {
  readonly counts = new Map<string, number>();
  next(name: string): number {
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    return count;
  }
}

class RateLimit implements Middleware {
  static built = 0;
  @Autowired(Counters)
  readonly #counters!: Counters;
  @Value("${limit:2}")
  readonly #limit!: number;

  constructor() {
    RateLimit.built++;
  }

  async handle(context: Context, next: Next) {
    if (this.#counters.next(context.req.path) > this.#limit) throw new HttpError(429, "Too many");
    await next();
    context.header("X-Limit", String(this.#limit));
  }
}

@RestController()
@Use(RateLimit)
class Pages {
  @GetMapping("/pages")
  pages() {
    return "pages";
  }

  @Use(RateLimit)
  @GetMapping("/twice")
  twice() {
    return "twice";
  }
}

Deno.test("Use() + a class is built once by the container, with what its fields ask for", async () => {
  RateLimit.built = 0;
  await using app = await appOf([Pages, Counters], { config: { limit: 3 } });
  assertEquals(RateLimit.built, 1);
  const statuses: unknown[] = [];
  for (let i = 0; i < 4; i++) statuses.push((await app.request("/pages")).status);
  assertEquals(statuses, [200, 200, 200, 429]);
  assertEquals((await app.request("/twice")).headers.get("X-Limit"), "3");
  assertEquals(app.context.get(Counters).counts.get("/twice"), 2);
  // Automatic answers take each middleware once.
  assertEquals((await app.request("/twice", { method: "POST" })).status, 405);
  assertEquals(app.context.get(Counters).counts.get("/twice"), 3);
});

Deno.test("bootstrap({ middleware }) + takes classes among functions, in their order", async () => {
  const mark: MiddlewareHandler = async (context, next) => {
    context.header("X-Order", "function", { append: true });
    await next();
  };
  const calls: string[] = [];
  @Component("audit")
  class Audit {
    @PostConstruct()
    open() {
      calls.push("open");
    }
    // An answer at once, and a method that is a field.
    readonly handle = (context: Context, next: Next) => {
      context.header("X-Order", "bean", { append: true });
      return context.req.path === "/stop" ? new Response("stopped") : next();
    };
    @PreDestroy()
    close() {
      calls.push("close");
    }
  }
  {
    await using app = await appOf([Pages, Counters], { middleware: [mark, Audit, mark] });
    const response = await app.request("/pages");
    assertEquals(response.headers.get("X-Order"), "function, bean, function");
    assertEquals(await (await app.request("/stop")).text(), "stopped");
    assertEquals(app.context.beans.get("audit")?.place, "Audit");
  }
  assertEquals(calls, ["open", "close"]);
});

Deno.test("Use() + finds the bean that stands for the class: of a factory, a subclass, an override", async () => {
  class Tagged implements Middleware {
    constructor(readonly tag: string) {}
    async handle(context: Context, next: Next) {
      await next();
      context.header("X-Tag", this.tag);
    }
  }
  @RestController()
  class Page {
    @Use(Tagged)
    @GetMapping("/")
    page() {}
  }
  @Configuration()
  class Factories {
    @Bean()
    tagged() {
      return new Tagged("factory");
    }
  }
  @Component()
  class Sub extends Tagged {
    constructor() {
      super("subclass");
    }
  }
  const fake = { tag: "override", handle: Tagged.prototype.handle };
  for (
    const [expected, components, overrides] of [
      ["factory", [Page, Factories], []],
      ["subclass", [Page, Sub], []],
      ["override", [Page, Sub], [[Tagged, fake]]],
    ] as const
  ) {
    await using app = await appOf(components, { overrides });
    assertEquals((await app.request("/")).headers.get("X-Tag"), expected);
  }
});

Deno.test("Use() + a class without handle() is an error at startup that names it", async () => {
  class Nothing {}
  @RestController()
  class Page {
    // @ts-expect-error: it has no handle()
    @Use(Nothing)
    @GetMapping("/")
    page() {}
  }
  const message = "Cannot use 'Nothing' as middleware: expected a method handle(context, next)";
  await assertRejects(() => appOf([Page]), MappingError, message);
  // @ts-expect-error: nor here
  await assertRejects(() => appOf([], { middleware: [Nothing] }), MappingError, message);
  @Scope("prototype")
  class Many implements Middleware {
    async handle() {}
  }
  await assertRejects(
    () => appOf([], { middleware: [Many] }),
    MappingError,
    "Cannot use 'Many' as middleware: it must be a singleton; remove @Scope(\"prototype\")",
  );
  assertThrows(
    // @ts-expect-error: as modules that import each other have it
    () => Use(undefined)(Page, { kind: "class", name: "Page", metadata: {} }),
    MappingError,
    "Cannot use 'undefined' as middleware of 'Page': expected a function (context, next), or a class",
  );
});

Deno.test("Use() + a class that cannot be built, or does not go on, is named", async () => {
  class Lost {
    readonly counters = inject(Counters);
    async handle() {}
  }
  class Forgetful implements Middleware {
    async handle() {}
  }
  await assertRejects(
    () => appOf([], { middleware: [Lost] }),
    Error,
    "Cannot find a bean of type Counters (needed by lost)",
  );
  await using app = await appOf([], { middleware: [Forgetful] });
  const [[, error] = []] = await logged(() => app.request("/"));
  assertEquals(
    (error as Error).message,
    "The middleware 'Forgetful' neither returned a response nor awaited next()",
  );
});

Deno.test("Use() + beans may ask for the class, and are given the one that runs", async () => {
  class Gate implements Middleware {
    open = false;
    async handle(_: Context, next: Next) {
      if (!this.open) throw new HttpError(503, "Closed");
      await next();
    }
  }
  @RestController()
  @Use(Gate)
  class Page {
    readonly gate = inject(Gate);
    @GetMapping("/")
    page() {
      return "open";
    }
  }
  await using app = await appOf([Page]);
  assertStrictEquals(app.context.get(Page).gate, app.context.get(Gate));
  app.context.get(Gate).open = true;
  assertEquals(await (await app.request("/")).text(), "open");
});

Deno.test("Use() + a constructor that throws is a bean that cannot be built", async () => {
  class Broken implements Middleware {
    constructor() {
      throw new Error("no");
    }
    async handle() {}
  }
  await assertRejects(
    () => appOf([], { middleware: [Broken] }),
    BeanCreationError,
    "Cannot build the bean 'broken': no",
  );
});
