import {
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import { createConfig } from "../../src/config/mod.ts";
import {
  Bean,
  BeanCreationError,
  Component,
  Configuration,
  createContext,
  inject,
  InjectionError,
  PostConstruct,
  PreDestroy,
  Scope,
} from "../../src/container/mod.ts";
import { contextOf, contextWith } from "./context_of.ts";

Deno.test("PostConstruct() + runs with the fields filled, the parent's first, once for each bean", async () => {
  const calls: string[] = [];
  @Component()
  class Clock {}
  class Base {
    readonly clock = inject(Clock);
    @PostConstruct()
    open(): void {
      assertInstanceOf(this.clock, Clock);
      calls.push("base");
    }
    @PostConstruct()
    overridden(): void {
      calls.push("never");
    }
  }
  @Component()
  class Below extends Base {
    @PostConstruct()
    override overridden(): void {
      calls.push("overridden");
    }
    @PostConstruct()
    async last() {
      await Promise.resolve();
      calls.push("last");
    }
  }
  const context = await contextOf(Below, Clock);
  assertEquals(calls, ["base", "overridden", "last"]);
  context.get(Below);
  assertEquals(calls.length, 3);
});

Deno.test("PostConstruct() + async ones follow each other within a bean", async () => {
  const calls: string[] = [];
  class Base {
    @PostConstruct()
    async first() {
      await Promise.resolve();
      calls.push("first");
    }
  }
  @Component()
  class Below extends Base {
    @PostConstruct()
    second(): void {
      calls.push("second");
    }
  }
  await contextOf(Below);
  assertEquals(calls, ["first", "second"]);
});

Deno.test("PostConstruct() + waits for that of all beans that its own was given", async () => {
  const calls: string[] = [];
  const gate = Promise.withResolvers<void>();
  @Component()
  class Pool {
    @PostConstruct()
    async connect() {
      calls.push("pool opens");
      await gate.promise;
      calls.push("pool is open");
    }
  }
  @Scope("prototype")
  @Component()
  class Query {
    readonly pool = inject(Pool);
    @PostConstruct()
    prepare(): void {
      calls.push("query");
    }
  }
  // Has nothing to do itself, yet is not ready before the pool is.
  @Component()
  class Users {
    readonly query = inject(Query);
  }
  @Component()
  class Warmup {
    readonly users = inject(Users);
    @PostConstruct()
    load(): void {
      calls.push("warm");
    }
  }
  @Component()
  class Unrelated {
    @PostConstruct()
    start(): void {
      calls.push("unrelated");
      gate.resolve();
    }
  }
  await contextOf(Warmup, Users, Query, Pool, Unrelated);
  assertEquals(calls, ["pool opens", "unrelated", "pool is open", "query", "warm"]);
});

Deno.test("PostConstruct() + factories are given beans that are ready", async () => {
  @Component()
  class Vault {
    secret = "";
    @PostConstruct()
    async open() {
      await Promise.resolve();
      this.secret = "open";
    }
  }
  @Component()
  class Credentials {
    readonly secret = inject(Vault).secret;
  }
  @Configuration()
  class Beans {
    @Bean()
    direct() {
      return { secret: inject(Vault).secret };
    }
    @Bean()
    async through() {
      return await { secret: inject(Credentials).secret };
    }
  }
  const context = await contextOf(Beans, Vault, Credentials);
  assertEquals(context.getByName("direct"), { secret: "open" });
  assertEquals(context.getByName("through"), { secret: "open" });
});

Deno.test("PostConstruct() + cannot inject(), wherever its bean is built", async () => {
  @Component()
  class Clock {}
  @Component()
  class Late {
    clock?: Clock;
    @PostConstruct()
    open(): void {
      this.clock = inject(Clock);
    }
  }
  @Component()
  class Outer {
    readonly late = inject(Late);
  }
  await assertRejects(() => contextOf(Clock, Late), InjectionError);
  await assertRejects(() => contextOf(Clock, Outer, Late), InjectionError);
});

Deno.test("PostConstruct() + that fails is reported with its bean, after all others have ended", async (t) => {
  for (const async of [false, true]) {
    await t.step(async ? "rejects" : "throws", async () => {
      const calls: string[] = [];
      const gate = Promise.withResolvers<void>();
      @Component()
      class Slow {
        @PostConstruct()
        async open() {
          await gate.promise;
          calls.push("opened");
        }
        @PreDestroy()
        close(): void {
          calls.push("closed");
        }
      }
      @Component()
      class Broken {
        @PostConstruct()
        open(): void | Promise<void> {
          gate.resolve();
          const error = new Error("Locked");
          if (async) return Promise.reject(error);
          throw error;
        }
      }
      @Component()
      class User {
        readonly broken = inject(Broken);
      }
      const error = await assertRejects(() => contextOf(Slow, User, Broken), BeanCreationError);
      assertEquals(error.message, "Cannot build the bean 'broken' (needed by user): Locked");
      assertEquals(calls, ["opened", "closed"]);
    });
  }
});

Deno.test("PreDestroy() + is not called for a bean whose @PostConstruct failed, or never ran", async (t) => {
  for (const async of [false, true]) {
    await t.step(async ? "rejects" : "throws", async () => {
      const calls: string[] = [];
      @Component()
      class Store {
        @PreDestroy()
        close(): void {
          calls.push("store");
        }
      }
      @Component()
      class Broken {
        readonly store = inject(Store);
        @PostConstruct()
        open(): void | Promise<void> {
          const error = new Error("Locked");
          if (async) return Promise.reject(error);
          throw error;
        }
        @PreDestroy()
        close(): void {
          calls.push("broken");
        }
        [Symbol.dispose](): void {
          calls.push("broken");
        }
      }
      @Component()
      class User {
        readonly broken = inject(Broken);
        @PreDestroy()
        close(): void {
          calls.push("user");
        }
      }
      await assertRejects(() => contextOf(Store, Broken, User), BeanCreationError, "Locked");
      assertEquals(calls, ["store"]);
    });
  }
});

Deno.test("PostConstruct() + of a prototype cannot be async", async () => {
  @Scope("prototype")
  @Component()
  class Query {
    @PostConstruct()
    open(): Promise<void> {
      return Promise.reject(new Error("Never seen"));
    }
  }
  @Component()
  class User {
    readonly query = inject(Query);
  }
  await assertRejects(() => contextOf(Query, User), InjectionError, "'query'");
});

Deno.test("PostConstruct() + of a prototype cannot be async while what it needs is awaited, either", async () => {
  @Component()
  class Pool {
    @PostConstruct()
    async connect() {
      await Promise.resolve();
    }
  }
  @Scope("prototype")
  @Component()
  class Query {
    readonly pool = inject(Pool);
    @PostConstruct()
    async prepare() {
      await Promise.reject(new Error("Never seen"));
    }
  }
  @Component()
  class User {
    readonly query = inject(Query);
  }
  const error = await assertRejects(() => contextOf(Pool, Query, User), InjectionError);
  const context = await contextOf(Pool, Query);
  assertEquals(assertThrows(() => context.get(Query), InjectionError).message, error.message);
});

Deno.test("createContext() + that is aborted leaves nothing open that a factory makes later", async () => {
  const calls: string[] = [];
  const gate = Promise.withResolvers<void>();
  class Pool {
    close(): void {
      calls.push("closed");
    }
  }
  class Channel extends Pool {
    @PostConstruct()
    open(): void {
      calls.push("opened");
    }
  }
  @Component()
  class Waiting {
    @PostConstruct()
    async start() {
      await gate.promise;
    }
  }
  @Component()
  class Dependent {
    readonly waiting = inject(Waiting);
    @PostConstruct()
    start(): void {
      calls.push("started");
    }
  }
  @Configuration()
  class Beans {
    @Bean()
    async pool() {
      await gate.promise;
      return new Pool();
    }
  }
  @Configuration()
  class Channels {
    @Bean()
    async channel() {
      await gate.promise;
      return new Channel();
    }
  }
  for (const components of [[Beans], [Channels], [Dependent, Waiting]]) {
    const controller = new AbortController();
    const context = createContext({
      components,
      config: createConfig(),
      signal: controller.signal,
    });
    controller.abort();
    await assertRejects(() => context);
  }
  gate.resolve();
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals(calls, ["closed"]);
});

Deno.test("ApplicationContext.close() + ends in reverse order of creation, each awaited, once", async () => {
  const calls: string[] = [];
  @Component()
  class Pool {
    @PreDestroy()
    async close() {
      calls.push("pool closes");
      await Promise.resolve();
      calls.push("pool is closed");
    }
  }
  @Component()
  class Users {
    readonly pool = inject(Pool);
    @PreDestroy()
    async flush() {
      await Promise.resolve();
      calls.push("users");
    }
  }
  @Configuration()
  class Beans {
    @Bean()
    socket() {
      return { [Symbol.dispose]: () => calls.push("socket") };
    }
  }
  // Factories are first, so last to close; the pool is built for the users.
  const context = await contextOf(Users, Pool, Beans);
  await context.close();
  const expected = ["users", "pool closes", "pool is closed", "socket"];
  assertEquals(calls, expected);
  await context.close();
  assertEquals(calls, expected);
});

Deno.test("ApplicationContext.close() + disposes what has no @PreDestroy()", async () => {
  const calls: string[] = [];
  @Component()
  class Both {
    [Symbol.dispose](): void {
      calls.push("dispose");
    }
    async [Symbol.asyncDispose]() {
      await Promise.resolve();
      calls.push("asyncDispose");
    }
  }
  @Component()
  class Declared {
    @PreDestroy()
    end(): void {
      calls.push("declared");
    }
    [Symbol.dispose](): void {
      calls.push("never");
    }
  }
  await (await contextOf(Both, Declared)).close();
  assertEquals(calls, ["declared", "asyncDispose"]);
});

Deno.test("PreDestroy() + the child's run before the parent's, each even when another fails", async () => {
  const calls: string[] = [];
  class Base {
    @PreDestroy()
    last(): void {
      calls.push("base");
    }
  }
  @Component()
  class Below extends Base {
    @PreDestroy()
    first(): void {
      calls.push("below");
      throw new Error("Stuck");
    }
  }
  const context = await contextOf(Below);
  await assertRejects(() => context.close(), AggregateError);
  assertEquals(calls, ["below", "base"]);
});

Deno.test("ApplicationContext.close() + tells what failed after all were closed", async () => {
  const calls: string[] = [];
  const cause = new Error("Stuck");
  @Component()
  class First {
    @PreDestroy()
    async close() {
      calls.push("first");
      await Promise.reject(cause);
    }
  }
  @Component()
  class Second {
    @PreDestroy()
    close(): void {
      calls.push("second");
    }
  }
  @Component()
  class Third {
    @PreDestroy()
    close(): void {
      calls.push("third");
      throw "text";
    }
  }
  const context = await contextOf(First, Second, Third);
  const error = await assertRejects(() => context.close(), AggregateError) as AggregateError;
  assertEquals(calls, ["third", "second", "first"]);
  assertEquals(error.errors.map(({ message }) => message), [
    "Cannot close the bean 'third': text",
    "Cannot close the bean 'first': Stuck",
  ]);
  assertStrictEquals(error.errors[1].cause, cause);
});

Deno.test("ApplicationContext.close() + leaves prototypes and overrides to those who made them", async () => {
  const calls: string[] = [];
  @Scope("prototype")
  @Component()
  class Query {
    @PreDestroy()
    close(): void {
      calls.push("query");
    }
  }
  @Component()
  class Pool {
    @PreDestroy()
    close(): void {
      calls.push("pool");
    }
  }
  @Component()
  class Users {
    readonly query = inject(Query);
    readonly pool = inject(Pool);
  }
  const context = await contextWith([Query, Pool, Users], { overrides: [[Pool, new Pool()]] });
  await context.close();
  assertEquals(calls, []);
});

Deno.test("a bean of two names + is initialised and closed once", async () => {
  const calls: string[] = [];
  @Component()
  class Pool {
    @PostConstruct()
    open(): void {
      calls.push("open");
    }
    @PreDestroy()
    close(): void {
      calls.push("close");
    }
  }
  @Configuration()
  class Beans {
    @Bean("database")
    alias() {
      return inject("pool");
    }
  }
  const context = await contextOf(Pool, Beans);
  assertStrictEquals(context.getByName("database"), context.getByName("pool"));
  await context.close();
  assertEquals(calls, ["open", "close"]);
});

Deno.test("createContext() + closes what was built when a later bean fails", async () => {
  const calls: string[] = [];
  @Component()
  class Pool {
    @PreDestroy()
    close(): void {
      calls.push("closed");
      throw new Error("Not the one to tell");
    }
  }
  @Component()
  class Broken {
    constructor() {
      throw new Error("Broken");
    }
  }
  await assertRejects(() => contextOf(Pool, Broken), BeanCreationError, "Broken");
  assertEquals(calls, ["closed"]);
});
