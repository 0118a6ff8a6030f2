import { assertEquals, assertInstanceOf, assertRejects, assertStrictEquals } from "@std/assert";
import {
  Autowired,
  Bean,
  BeanCreationError,
  BeanCycleError,
  Component,
  Configuration,
  DuplicateBeanError,
  inject,
  InjectionError,
  NoSuchBeanError,
  Primary,
  Scope,
  Service,
} from "../../src/container/mod.ts";
import { contextOf } from "./context_of.ts";

class Settings {
  constructor(readonly url: string) {}
}
class Pool {
  constructor(readonly settings: Settings) {}
}
class Cache {
  constructor(readonly settings: Settings) {}
}

Deno.test("Bean() + makes what a method gives a bean, named after the method or as told", async () => {
  @Configuration()
  class Beans {
    @Bean()
    settings() {
      return new Settings("a");
    }
    @Bean("spare")
    another() {
      return new Cache(new Settings("b"));
    }
    @Bean()
    limit() {
      return 0;
    }
    @Bean()
    nothing() {
      return null;
    }
  }
  const context = await contextOf(Beans);
  assertInstanceOf(context.getByName("settings"), Settings);
  assertStrictEquals(context.get(Cache), context.getByName("spare"));
  assertEquals([context.getByName("limit"), context.getByName("nothing")], [0, null]);
  assertEquals(context.beans.get("settings"), {
    ...context.beans.get("settings"),
    name: "settings",
    type: Settings,
    scope: "singleton",
    place: "Beans.settings()",
  });
});

Deno.test("Bean() + is awaited before any class is built, whatever the order", async () => {
  @Service()
  class Users {
    @Autowired(Pool)
    readonly pool!: Pool;
  }
  @Configuration()
  class Beans {
    @Bean()
    async pool() {
      const settings = inject(Settings);
      await Promise.resolve();
      return new Pool(settings);
    }
    @Bean()
    async settings() {
      return await Promise.resolve(new Settings("a"));
    }
  }
  const context = await contextOf(Users, Beans);
  assertStrictEquals(context.get(Users).pool, context.get(Pool));
  assertStrictEquals(context.get(Pool).settings, context.get(Settings));
});

Deno.test("Bean() + factories run in order of need, however that is asked for", async (t) => {
  const asked = {
    "by a declared type": () => inject(Settings),
    "by name": () => inject<Settings>("settings"),
  };
  for (const [name, ask] of Object.entries(asked)) {
    await t.step(name, async () => {
      const order: string[] = [];
      @Configuration()
      class Beans {
        @Bean()
        pool() {
          const pool = new Pool(ask());
          order.push("pool");
          return pool;
        }
        @Bean()
        cache() {
          const cache = new Cache(ask());
          order.push("cache");
          return cache;
        }
        @Bean("settings", { type: Settings })
        async last() {
          await Promise.resolve();
          order.push("settings");
          return new Settings("a");
        }
      }
      const context = await contextOf(Beans);
      assertEquals(order, ["settings", "pool", "cache"]);
      assertStrictEquals(context.get(Pool).settings, context.get(Cache).settings);
    });
  }
});

Deno.test("Bean() + an async factory waits for that of what it needs, declared later", async () => {
  @Configuration()
  class Beans {
    @Bean()
    async pool() {
      return await new Pool(inject("settings"));
    }
    @Bean()
    async settings() {
      return await new Settings("a");
    }
  }
  const context = await contextOf(Beans);
  assertStrictEquals(context.get(Pool).settings, context.get(Settings));
});

Deno.test("Bean() + several factories may miss what a later one makes without saying its type", async () => {
  @Configuration()
  class Beans {
    @Bean()
    pool() {
      return new Pool(inject(Settings));
    }
    @Bean()
    async cache() {
      return await new Cache(inject(Settings));
    }
    @Bean()
    settings() {
      return new Settings("a");
    }
  }
  const context = await contextOf(Beans);
  assertStrictEquals(context.get(Pool).settings, context.get(Cache).settings);
});

Deno.test("Bean() + a class that two factories need may itself need a third", async () => {
  @Service()
  class Users {
    readonly settings = inject(Settings);
  }
  @Configuration()
  class Beans {
    @Bean()
    first() {
      return { users: inject(Users) };
    }
    @Bean()
    second() {
      return { users: inject(Users) };
    }
    @Bean()
    settings() {
      return new Settings("a");
    }
  }
  const context = await contextOf(Users, Beans);
  const users = context.get(Users);
  assertEquals(context.getByName("first"), { users });
  assertStrictEquals(users.settings, context.get(Settings));
});

Deno.test("inject() + that has to wait cannot be caught, whatever the order", async (t) => {
  const asked = {
    "a declared type": () => inject(Settings),
    "a name": () => inject<Settings>("settings"),
    "an undeclared type": () => inject(Cache).settings,
    "all of a type": () => inject.all(Cache)[0]?.settings,
    "a prototype": () => inject<{ settings: Settings }>("lazy").settings,
  };
  const caught = {
    "and goes on": (ask: () => unknown) => {
      try {
        return ask();
      } catch {
        return undefined;
      }
    },
    "and throws its own error": (ask: () => unknown) => {
      try {
        return ask();
      } catch (cause) {
        throw new Error("No settings", { cause });
      }
    },
  };
  for (const [what, ask] of Object.entries(asked)) {
    for (const [how, attempt] of Object.entries(caught)) {
      @Service()
      class Users {
        readonly settings = attempt(ask);
      }
      @Configuration()
      class First {
        @Bean()
        user() {
          return { settings: inject(Users).settings };
        }
        @Bean()
        own() {
          return { settings: attempt(ask) };
        }
        @Bean()
        async later() {
          const settings = attempt(ask);
          await Promise.resolve();
          return { settings };
        }
      }
      @Configuration()
      class Second {
        @Bean("settings", { type: Settings })
        async settings() {
          return await new Settings("a");
        }
        @Bean()
        async cache() {
          return await new Cache(inject(Settings));
        }
        @Scope("prototype")
        @Bean()
        lazy() {
          return { settings: inject(Settings) };
        }
      }
      for (const components of [[First, Second, Users], [Second, First, Users]]) {
        await t.step(`${what}, ${how}, ${components[0]!.name} first`, async () => {
          const context = await contextOf(...components);
          const settings = context.get(Settings);
          assertStrictEquals(context.get(Users).settings, settings);
          for (const name of ["user", "own", "later"]) {
            assertStrictEquals((context.getByName(name) as Users).settings, settings, name);
          }
        });
      }
    }
  }
});

Deno.test("Bean() + what no factory makes is missing, with who needs it", async () => {
  @Service()
  class Users {
    readonly settings = inject(Settings);
  }
  @Configuration()
  class Beans {
    @Bean()
    pool() {
      return { users: inject(Users) };
    }
    @Bean()
    cache() {
      return new Cache(inject(Settings));
    }
    @Bean()
    spare() {
      return {};
    }
  }
  const error = await assertRejects(() => contextOf(Beans, Users), NoSuchBeanError);
  assertEquals(
    error.message,
    "Cannot find a bean of type Settings (needed by pool → users): expected @Service() or another stereotype, or a @Bean() method",
  );
});

Deno.test("Bean() + factories that need each other are reported with all beans between them", async () => {
  @Service()
  class Users {
    readonly cache = inject(Cache);
  }
  @Configuration()
  class Beans {
    @Bean("pool", { type: Pool })
    pool() {
      inject(Users);
      return new Pool(new Settings("a"));
    }
    @Bean("cache", { type: Cache })
    async cache() {
      return await new Cache(inject(Pool).settings);
    }
  }
  const error = await assertRejects(() => contextOf(Beans, Users), BeanCycleError);
  assertEquals(error.path, ["pool", "users", "cache", "pool"]);
});

Deno.test("Bean() + a configuration class that needs its own bean is a cycle", async () => {
  @Configuration()
  class Beans {
    @Autowired("settings")
    readonly settings!: Settings;
    @Bean("settings")
    make() {
      return new Settings("a");
    }
  }
  const error = await assertRejects(() => contextOf(Beans), BeanCycleError);
  assertEquals(error.path, ["settings", "beans", "settings"]);
});

Deno.test("Bean() + a factory that fails or rejects is reported with its path and cause", async (t) => {
  const cause = new Error("Refused");
  for (const async of [false, true]) {
    await t.step(async ? "rejects" : "throws", async () => {
      @Configuration()
      class Beans {
        @Bean()
        pool() {
          return new Pool(inject("settings"));
        }
        @Bean()
        settings(): Settings | Promise<Settings> {
          if (async) return Promise.reject(cause);
          throw cause;
        }
      }
      const error = await assertRejects(() => contextOf(Beans), BeanCreationError);
      assertEquals(
        error.message,
        "Cannot build the bean 'settings' (needed by pool): Refused",
      );
      assertStrictEquals(error.cause, cause);
    });
  }
});

Deno.test("Bean() + inject() after an await fails", async () => {
  @Configuration()
  class Beans {
    @Bean()
    async pool() {
      await Promise.resolve();
      return inject("settings");
    }
    @Bean()
    settings() {
      return new Settings("a");
    }
  }
  await assertRejects(() => contextOf(Beans), InjectionError, "Cannot inject 'settings'");
});

Deno.test("Bean() + names the method in a duplicate", async () => {
  @Component()
  class ErrorController {}
  @Configuration()
  class Beans {
    @Bean("errorController")
    problems() {
      return {};
    }
  }
  const error = await assertRejects(() => contextOf(ErrorController, Beans), DuplicateBeanError);
  assertEquals(error.places, ["ErrorController", "Beans.problems()"]);

  @Configuration()
  class Twice {
    @Bean("a")
    first() {}
    @Bean("a")
    second() {}
  }
  const twice = await assertRejects(() => contextOf(Twice), DuplicateBeanError);
  assertEquals(twice.places, ["Twice.first()", "Twice.second()"]);
});

Deno.test("Bean() + is inherited, and an overriding declaration counts once", async () => {
  class Base {
    @Bean()
    settings() {
      return new Settings("base");
    }
    @Bean()
    cache() {
      return new Cache(inject(Settings));
    }
  }
  @Configuration()
  class Beans extends Base {
    @Bean()
    override settings() {
      return new Settings("below");
    }
  }
  const context = await contextOf(Beans);
  assertEquals(context.get(Cache).settings.url, "below");
});

Deno.test("Bean() + takes @Primary() and @Scope() of its method", async () => {
  let built = 0;
  @Configuration()
  class Beans {
    @Bean()
    first() {
      return new Settings("first");
    }
    @Primary()
    @Bean()
    second() {
      return new Settings("second");
    }
    @Bean()
    @Scope("prototype")
    number() {
      return { number: ++built };
    }
  }
  const context = await contextOf(Beans);
  assertEquals(context.get(Settings).url, "second");
  assertEquals(built, 0);
  assertEquals([context.getByName("number"), context.getByName("number")], [
    { number: 1 },
    { number: 2 },
  ]);
});

Deno.test("Bean() + a prototype cannot be async", async () => {
  @Configuration()
  class Beans {
    @Scope("prototype")
    @Bean()
    async later() {
      return await Promise.reject(new Error("Never seen"));
    }
    @Bean()
    user() {
      return { later: inject("later") };
    }
  }
  await assertRejects(() => contextOf(Beans), InjectionError, "Cannot build the bean 'later'");
});

Deno.test("Bean() + by a class that what it gives extends", async () => {
  abstract class Store {}
  class FileStore extends Store {}
  @Configuration()
  class Beans {
    @Bean("store", { type: Store })
    store() {
      return new FileStore();
    }
  }
  const context = await contextOf(Beans);
  assertStrictEquals(context.get(Store), context.get(FileStore));
  assertEquals(context.beans.get("store")?.type, Store);
});

Deno.test("createContext() + two at once do not mix", async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const contexts = gates.map(({ promise }, index) => {
    @Service()
    class Users {
      readonly settings = inject(Settings);
      readonly pool = inject(Pool);
    }
    @Configuration()
    class Beans {
      @Bean()
      async settings() {
        await promise;
        return new Settings(String(index));
      }
      @Bean()
      async pool() {
        const settings = inject(Settings);
        await promise;
        return new Pool(settings);
      }
    }
    return contextOf(Users, Beans).then((context) => context.get(Users));
  });
  gates[1]!.resolve();
  const second = await contexts[1]!;
  gates[0]!.resolve();
  const first = await contexts[0]!;
  assertEquals([first.settings.url, first.pool.settings.url], ["0", "0"]);
  assertEquals([second.settings.url, second.pool.settings.url], ["1", "1"]);
});

Deno.test("createContext() + one inside a factory of another does not disturb it", async () => {
  @Service()
  class Inner {}
  @Configuration()
  class Beans {
    @Bean()
    settings() {
      return new Settings("outer");
    }
    @Bean()
    inner() {
      const inner = contextOf(Inner);
      return { inner, settings: inject(Settings) };
    }
  }
  const context = await contextOf(Beans);
  const bean = context.getByName("inner") as { readonly settings: Settings };
  assertStrictEquals(bean.settings, context.get(Settings));
  assertEquals(context.has(Inner), false);
});

Deno.test("Bean() + a factory that gives undefined is an error, at once or later", async (t) => {
  const factories = { now: () => {}, later: () => Promise.resolve(undefined) };
  for (const [name, factory] of Object.entries(factories)) {
    await t.step(name, async () => {
      @Configuration()
      class Beans {
        @Bean()
        clock() {
          return factory();
        }
      }
      const error = await assertRejects(() => contextOf(Beans), BeanCreationError);
      assertEquals(
        error.message,
        "Cannot build the bean 'clock': its factory returned undefined; expected it to return the bean",
      );
    });
  }
});
