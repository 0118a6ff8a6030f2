import {
  assertEquals,
  assertNotEquals,
  assertRejects,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import type { Config } from "../../src/config/mod.ts";
import {
  Autowired,
  BeanCreationError,
  BeanCycleError,
  Component,
  inject,
  InjectionError,
  NoSuchBeanError,
  NoUniqueBeanError,
  Primary,
  Qualifier,
  Scope,
  Service,
} from "../../src/container/mod.ts";
import { contextOf, contextWith } from "./context_of.ts";

@Service()
class Clock {}

Deno.test("Autowired() + fills public, protected and #private fields, inherited ones too", async () => {
  abstract class Base {
    @Autowired(Clock)
    protected readonly inherited!: Clock;
  }
  @Component()
  class Everything extends Base {
    @Autowired(Clock)
    readonly byType!: Clock;
    @Autowired(() => Clock)
    readonly byThunk!: Clock;
    @Autowired("clock")
    readonly byName!: Clock;
    @Autowired(Clock)
    readonly #hidden!: Clock;
    readonly byCall = inject(Clock);

    constructor(readonly byDefault = inject(Clock), readonly byNamedDefault = inject("clock")) {
      super();
    }

    all(): readonly unknown[] {
      const { inherited, byType, byThunk, byName, byCall, byDefault, byNamedDefault } = this;
      return [inherited, byType, byThunk, byName, this.#hidden, byCall, byDefault, byNamedDefault];
    }
  }
  // The order of declaration does not matter.
  const context = await contextOf(Everything, Clock);
  const clock = context.get(Clock);
  for (const value of context.get(Everything).all()) assertStrictEquals(value, clock);
});

Deno.test("Autowired() + gives a field of one name in each class of a chain its own bean", async () => {
  @Service()
  class Other {}
  class Base {
    @Autowired(Clock)
    readonly #dependency!: Clock;
    base(): Clock {
      return this.#dependency;
    }
  }
  @Component()
  class Below extends Base {
    @Autowired(Other)
    readonly #dependency!: Other;
    below(): Other {
      return this.#dependency;
    }
  }
  const context = await contextOf(Clock, Other, Below);
  const bean = context.get(Below);
  assertStrictEquals(bean.base(), context.get(Clock));
  assertStrictEquals(bean.below(), context.get(Other));
});

Deno.test("Autowired() + finds beans by a type they extend", async () => {
  abstract class Repository {}
  @Component()
  class SqlRepository extends Repository {}
  @Component()
  class Users {
    @Autowired(Repository)
    readonly repository!: Repository;
  }
  const context = await contextOf(Users, SqlRepository);
  assertStrictEquals(context.get(Users).repository, context.get(SqlRepository));
});

Deno.test("Autowired() + takes only arrow functions for thunks", async () => {
  function Legacy() {}
  @Component()
  class Bean {
    // deno-lint-ignore no-explicit-any -- not a type that the signature allows
    readonly value: unknown = inject(Legacy as any);
  }
  const error = await assertRejects(() => contextOf(Bean), NoSuchBeanError);
  assertEquals(error.wanted, "of type Legacy");
});

Deno.test("inject() + of a class that is not initialized yet says how to request it", async () => {
  const early = { type: undefined as unknown as typeof Clock };
  @Component()
  class Bean {
    readonly now = inject(early.type);
  }
  const error = await assertRejects(() => contextOf(Bean), InjectionError, "() => Type");
  assertEquals(error.name, "InjectionError");
});

Deno.test("inject() + fails where nothing is built", async () => {
  assertThrows(
    () => inject(Clock),
    InjectionError,
    "Cannot inject Clock: no bean is being created",
  );
  assertThrows(() => inject("clock"), InjectionError, "Cannot inject 'clock'");
  await contextOf(Clock);
  assertThrows(() => inject(Clock), InjectionError);
});

Deno.test("inject() + fails again after a context that could not be built", async () => {
  @Component()
  class Broken {
    readonly clock = inject(Clock);
  }
  await assertRejects(() => contextOf(Broken), NoSuchBeanError);
  assertThrows(() => inject(Clock), InjectionError);
});

Deno.test("Autowired() + in an object that the application makes fails", () => {
  class Outside {
    @Autowired(Clock)
    readonly clock!: Clock;
  }
  assertThrows(() => new Outside(), InjectionError);
});

Deno.test("Autowired('config') + gives the configuration", async () => {
  @Component()
  class Bean {
    @Autowired("config")
    readonly config!: Config;
  }
  const context = await contextWith([Bean], { config: { server: { port: 1 } } });
  assertEquals(context.get(Bean).config.number("server.port"), 1);
});

Deno.test("a missing bean + is reported with the beans that need it and similar ones", async (t) => {
  await t.step("by name", async () => {
    @Component()
    class Users {
      readonly clock = inject("clokc");
    }
    @Component()
    class Controller {
      readonly users = inject(Users);
    }
    const error = await assertRejects(() => contextOf(Controller, Users, Clock), NoSuchBeanError);
    assertEquals(
      error.message,
      "Cannot find a bean named 'clokc' (needed by controller → users); did you mean 'clock'?",
    );
    assertEquals([error.wanted, error.path, error.similar], [
      "named 'clokc'",
      ["controller", "users"],
      ["clock"],
    ]);
  });
  await t.step("by type", async () => {
    class Plain {}
    @Component()
    class Users {
      readonly plain = inject(Plain);
    }
    const error = await assertRejects(() => contextOf(Users, Clock), NoSuchBeanError);
    assertEquals(
      error.message,
      "Cannot find a bean of type Plain (needed by users): expected @Service() or another " +
        "stereotype, or a @Bean() method",
    );
  });
  await t.step("by a type that was not registered", async () => {
    @Component()
    class Users {
      readonly clock = inject(Clock);
    }
    const error = await assertRejects(() => contextOf(Users), NoSuchBeanError);
    assertEquals(
      error.message,
      "Cannot find a bean of type Clock (needed by users): the class has @Service(), but is neither " +
        "among the components nor in a folder of 'component-scan'",
    );
  });
  await t.step("by get()", async () => {
    const context = await contextOf(Clock);
    const error = assertThrows(() => context.getByName("Clocks"), NoSuchBeanError);
    assertEquals(error.message, "Cannot find a bean named 'Clocks'; did you mean 'clock'?");
  });
});

abstract class Store {}
@Component()
class FileStore extends Store {}
@Component()
class CloudStore extends Store {}

Deno.test("several beans of a type + are an error that names them", async () => {
  @Component()
  class Users {
    readonly store = inject(Store);
  }
  const error = await assertRejects(
    () => contextOf(Users, FileStore, CloudStore),
    NoUniqueBeanError,
  );
  assertEquals(
    error.message,
    "Cannot choose a bean of type Store (needed by users): found 'fileStore', 'cloudStore'; " +
      "mark one with @Primary(), or ask with @Qualifier(name)",
  );
  assertEquals(error.candidates, ["fileStore", "cloudStore"]);
});

Deno.test("Primary() + marks the preferred bean", async () => {
  @Primary()
  @Component()
  class MainStore extends Store {}
  const context = await contextOf(FileStore, MainStore, CloudStore);
  assertStrictEquals(context.get(Store), context.get(MainStore));

  @Component()
  @Primary()
  class OtherMain extends Store {}
  const two = await contextOf(FileStore, MainStore, OtherMain);
  const error = assertThrows(() => two.get(Store), NoUniqueBeanError);
  assertEquals(error.candidates, ["mainStore", "otherMain"]);
});

Deno.test("Primary() + is not inherited", async () => {
  @Primary()
  @Component()
  class Main extends Store {}
  @Component()
  class Below extends Main {}
  const context = await contextOf(Main, Below);
  assertStrictEquals(context.get(Store), context.getByName("main"));
});

Deno.test("Qualifier() + picks by name among those of the type", async () => {
  @Component()
  class Above {
    @Qualifier("cloudStore")
    @Autowired(Store)
    readonly store!: Store;
    @Autowired(Store)
    @Qualifier("fileStore")
    readonly #store!: Store;
    hidden(): Store {
      return this.#store;
    }
  }
  const context = await contextOf(Above, FileStore, CloudStore);
  assertStrictEquals(context.get(Above).store, context.get(CloudStore));
  assertStrictEquals(context.get(Above).hidden(), context.get(FileStore));

  @Component()
  class Wrong {
    @Qualifier("clock")
    @Autowired(Store)
    readonly store!: Store;
  }
  const error = await assertRejects(
    () => contextOf(Wrong, Clock, FileStore, CloudStore),
    NoSuchBeanError,
  );
  assertEquals(error.wanted, "of type Store named 'clock'");
});

Deno.test("a cycle + is reported whole", async () => {
  @Component()
  class A {
    @Autowired(() => B)
    readonly b!: unknown;
  }
  @Component()
  class B {
    readonly c: unknown = inject(() => C);
  }
  @Component()
  class C {
    constructor(readonly a = inject(A)) {}
  }
  @Component()
  class Start {
    readonly a = inject(A);
  }
  const error = await assertRejects(() => contextOf(Start, A, B, C), BeanCycleError);
  assertEquals(error.path, ["a", "b", "c", "a"]);
  assertEquals(error.message, "Cannot build beans that need each other: a → b → c → a");

  @Component()
  class Self {
    readonly self: unknown = inject(() => Self);
  }
  assertEquals((await assertRejects(() => contextOf(Self), BeanCycleError)).path, ["self", "self"]);
});

Deno.test("a constructor that fails + is reported with its path and cause", async () => {
  const cause = new Error("No disk");
  @Component()
  class Disk {
    constructor() {
      throw cause;
    }
  }
  @Component()
  class Files {
    readonly disk = inject(Disk);
  }
  const error = await assertRejects(() => contextOf(Files, Disk), BeanCreationError);
  assertEquals(error.message, "Cannot build the bean 'disk' (needed by files): No disk");
  assertEquals(error.path, ["files", "disk"]);
  assertStrictEquals(error.cause, cause);
});

Deno.test("Scope('prototype') + builds one for everyone who asks, and none before", async () => {
  let built = 0;
  @Scope("prototype")
  @Component()
  class Counter {
    readonly number = ++built;
  }
  @Component()
  class Two {
    @Autowired(Counter)
    readonly first!: Counter;
    @Autowired(Counter)
    readonly second!: Counter;
  }
  const lazy = await contextOf(Counter);
  assertEquals([built, lazy.beans.get("counter")?.scope], [0, "prototype"]);
  const context = await contextOf(Counter, Two);
  assertNotEquals(context.get(Two).first, context.get(Two).second);
  assertEquals(context.get(Counter).number, 3);
});

Deno.test("ApplicationContext.has() + knows names and types", async () => {
  const context = await contextOf(FileStore, CloudStore);
  assertEquals(
    [context.has("fileStore"), context.has(Store), context.has("store"), context.has(Clock)],
    [true, true, false, false],
  );
});
