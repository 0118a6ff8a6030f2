import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import {
  Bean,
  Component,
  Configuration,
  inject,
  PostConstruct,
  Primary,
  Service,
  type Type,
} from "../../src/container/mod.ts";
import { contextWith } from "./context_of.ts";

abstract class Clock {
  abstract now(): number;
}

@Component()
class SystemClock extends Clock {
  constructor() {
    super();
    throw new Error("Must not be built");
  }
  now(): number {
    return Date.now();
  }
}

@Component()
class Users {
  readonly clock = inject(Clock);
}

Deno.test("overrides + stand in by name, type and base type, plain objects too", async (t) => {
  const keys: readonly (readonly [string, string | Type<unknown>])[] = [
    ["name", "systemClock"],
    ["type", SystemClock],
    ["base type", Clock],
  ];
  for (const [name, key] of keys) {
    await t.step(name, async () => {
      const fake = { now: () => 0 };
      const context = await contextWith([Users, SystemClock], {
        overrides: new Map([[key, fake]]),
      });
      assertStrictEquals(context.get(Users).clock, fake as Clock);
      assertStrictEquals(context.get(SystemClock), fake as SystemClock);
      assertEquals(context.beans.get("systemClock")?.place, "an override");
    });
  }
});

Deno.test("overrides + keep a factory from running", async () => {
  @Configuration()
  class Beans {
    @Bean("clock")
    make(): Clock {
      throw new Error("Must not run");
    }
  }
  const fake = { now: () => 0 };
  const context = await contextWith([Beans], { overrides: [["clock", fake]] });
  assertStrictEquals(context.getByName("clock"), fake);
});

Deno.test("overrides + are primary where what they replace is", async (t) => {
  class Mailer {}
  @Primary()
  @Service()
  class Post extends Mailer {}
  @Service()
  class Pigeons extends Mailer {}
  @Configuration()
  class Beans {
    @Primary()
    @Bean()
    post() {
      return new Mailer();
    }
  }
  for (
    const [key, ...components] of [["post", Post], [Post, Post], [Mailer, Post], [
      "post",
      Beans,
    ]] as const
  ) {
    await t.step(
      `${components[0].name} by ${typeof key === "string" ? "name" : key.name}`,
      async () => {
        const fake = new Mailer();
        const context = await contextWith([...components, Pigeons], { overrides: [[key, fake]] });
        assertStrictEquals(context.get(Mailer), fake);
      },
    );
  }
});

Deno.test("overrides + are not initialised", async () => {
  @Component()
  class Pool {
    opened = false;
    @PostConstruct()
    open(): void {
      this.opened = true;
    }
  }
  const fake = new Pool();
  const context = await contextWith([Pool], { overrides: [[Pool, fake]] });
  assertEquals([context.get(Pool) === fake, fake.opened], [true, false]);
});

Deno.test("overrides + of what there is not are an error", async () => {
  class Unknown {}
  for (const [key, text] of [["clokc", "'clokc'"], [Unknown, "Unknown"]] as const) {
    await assertRejects(
      () => contextWith([], { overrides: [[key, {}]] }),
      TypeError,
      `Cannot override the bean ${text}: there is none`,
    );
  }
});
