import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  Bean,
  Component,
  Configuration,
  inject,
  InjectionError,
  NoSuchBeanError,
  NoUniqueBeanError,
  Primary,
} from "../../src/container/mod.ts";
import { contextOf } from "./context_of.ts";

abstract class Check {
  abstract readonly name: string;
}
@Component()
class First extends Check {
  readonly name: string = "first";
}
@Component()
class Second extends Check {
  readonly name = "second";
}

Deno.test("inject.optional() + gives the bean, or undefined where there is none", async () => {
  @Component()
  class Reader {
    readonly check = inject.optional(Check);
    readonly named = inject.optional<First>("first");
    readonly later = inject.optional(() => Second);
  }
  const without = (await contextOf(Reader)).get(Reader);
  assertEquals([without.check, without.named, without.later], [undefined, undefined, undefined]);
  const reader = (await contextOf(Reader, First)).get(Reader);
  assertEquals([reader.check?.name, reader.named?.name, reader.later], [
    "first",
    "first",
    undefined,
  ]);
  await assertRejects(() => contextOf(Reader, First, Second), NoUniqueBeanError);
});

Deno.test("inject.optional() + does not hide what a bean that is there misses", async () => {
  @Component()
  class Broken extends Check {
    readonly name = "broken";
    readonly missing = inject(Second);
  }
  @Component()
  class Reader {
    readonly check = inject.optional(Check);
  }
  await assertRejects(() => contextOf(Reader, Broken), NoSuchBeanError, "type Second");
});

Deno.test("inject.all() + gives every bean of a type in order of declaration", async () => {
  @Component()
  @Primary()
  class Composite extends Check {
    readonly name = "composite";
    readonly parts = inject.all(Check);
  }
  @Component()
  class Reader {
    readonly checks = inject.all(() => Check);
  }
  const names = (checks: readonly Check[]) => checks.map(({ name }) => name);
  assertEquals((await contextOf(Reader)).get(Reader).checks, []);
  const context = await contextOf(Reader, Second, Composite, First);
  assertEquals(names(context.get(Composite).parts), ["second", "first"]);
  assertEquals(names(context.get(Reader).checks), ["second", "composite", "first"]);
});

Deno.test("inject.all() and optional() + wait for factories, those of no known type included", async () => {
  @Configuration()
  class Beans {
    @Bean()
    all() {
      return { names: inject.all(Check).map(({ name }) => name) };
    }
    @Bean()
    optional() {
      return { name: inject.optional(Second)?.name };
    }
    @Bean("third", { type: First })
    async third() {
      return await Object.assign(new First(), { name: "third" });
    }
    @Bean()
    async untyped() {
      return await new Second();
    }
  }
  const context = await contextOf(Beans, First);
  assertEquals(context.getByName("all"), { names: ["third", "second", "first"] });
  assertEquals(context.getByName("optional"), { name: "second" });
});

Deno.test("inject() and its like + wait for a factory that declares a wider type than it gives", async () => {
  class Wide {}
  class Narrow extends Wide {
    readonly name = "narrow";
  }
  class Seen {
    readonly seen = [
      inject(Narrow).name,
      inject.optional(Narrow)?.name,
      ...inject.all(Narrow).map(({ name }) => name),
    ];
  }
  @Configuration()
  class Beans {
    @Bean("seen", { type: Seen })
    seen() {
      return new Seen();
    }
    @Bean("wide", { type: Wide })
    async wide() {
      return await new Narrow();
    }
  }
  assertEquals((await contextOf(Beans)).get(Seen).seen, ["narrow", "narrow", "narrow"]);
});

Deno.test("inject.all() and optional() + outside of a construction are errors", () => {
  assertThrows(() => inject.all(Check), InjectionError, "Cannot inject Check");
  assertThrows(() => inject.optional(Check), InjectionError, "Cannot inject Check");
  assertThrows(() => inject.optional(undefined!), InjectionError, "Cannot inject 'undefined'");
});
