import {
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import {
  Component,
  Configuration,
  declarationOf,
  DuplicateBeanError,
  isComponent,
  Scope,
  Service,
  stereotype,
} from "../../src/container/mod.ts";
import { contextOf } from "./context_of.ts";

Deno.test("Component() + names a bean after its class, as JavaBeans does", async (t) => {
  @Component()
  class UserRepository {}
  @Service()
  class URLService {}
  @Component()
  class X {}
  @Component()
  class Élan {}
  @Component()
  class URL2 {}
  @Component()
  class plain {}
  @Component("chosen")
  class Named {}

  const names = [
    ["userRepository", UserRepository],
    ["URLService", URLService],
    ["x", X],
    ["élan", Élan],
    ["URL2", URL2],
    ["plain", plain],
    ["chosen", Named],
  ] as const;
  const context = await contextOf(...names.map(([, type]) => type));
  for (const [name, type] of names) {
    await t.step(name, () => {
      assertInstanceOf(context.getByName(name), type);
      assertStrictEquals(context.get(type), context.getByName(name));
      assertEquals(context.beans.get(name)?.place, type.name);
    });
  }
});

Deno.test("isComponent() + is true for classes that are declared themselves", () => {
  @Configuration()
  class Beans {}
  class Below extends Beans {}
  class Plain {}
  assertEquals(isComponent(Beans), true);
  for (const value of [Below, Plain, () => {}, {}, null, undefined, "Beans", new Beans()]) {
    assertEquals(isComponent(value), false);
  }
});

Deno.test("declarationOf() + tells name and stereotype", () => {
  @Service("a")
  class A {}
  @Configuration()
  class B {}
  assertEquals(declarationOf(A), { name: "a", stereotype: "Service" });
  assertEquals(declarationOf(B), { name: undefined, stereotype: "Configuration" });
  assertEquals(declarationOf(class C {}), undefined);
});

Deno.test("stereotype() + makes another decorator's classes beans", async () => {
  function Job(name: string) {
    return stereotype("Job", arguments, name);
  }
  @Job("nightly")
  class Cleanup {}
  assertEquals(declarationOf(Cleanup)?.stereotype, "Job");
  assertInstanceOf((await contextOf(Cleanup)).getByName("nightly"), Cleanup);
});

Deno.test("createContext() + refuses a class without a stereotype", async () => {
  @Component()
  class Base {}
  class Below extends Base {}
  const error = await assertRejects(() => contextOf(Below), TypeError);
  assertEquals(
    error.message,
    "Cannot register 'Below': expected a class with @Component(), @Service(), @RestController() or the like",
  );
});

Deno.test("createContext() + takes a class that is given twice once", async () => {
  @Component()
  class A {}
  assertEquals((await contextOf(A, A)).beans.has("a"), true);
});

Deno.test("createContext() + refuses two beans of one name and names both places", async () => {
  @Component("errorController")
  class Problems {}
  @Component()
  class ErrorController {}
  const error = await assertRejects(() => contextOf(Problems, ErrorController), DuplicateBeanError);
  assertEquals(error.bean, "errorController");
  assertEquals(error.places, ["Problems", "ErrorController"]);
  assertEquals(
    error.message,
    "Cannot register two beans named 'errorController': found Problems and ErrorController; " +
      "give one of them another name",
  );

  @Component("config")
  class Settings {}
  const taken = await assertRejects(() => contextOf(Settings), DuplicateBeanError);
  assertEquals(taken.places, ["the configuration", "Settings"]);
});

Deno.test("createContext() + names --keep-names where two names that were derived are one", async () => {
  const shortened = () => {
    @Component()
    class e {}
    return e;
  };
  const error = await assertRejects(() => contextOf(shortened(), shortened()), DuplicateBeanError);
  assertEquals(
    error.message,
    "Cannot register two beans named 'e': found e and e; give one of them another name, " +
      "or keep the names of classes where a bundler shortens them (--keep-names, the plugin " +
      "of '@irori/irori/vite', decorate({ Name }, …))",
  );
});

Deno.test("Scope() + names a scope that there is none of", () => {
  assertThrows(
    () => Scope("request" as "singleton"),
    TypeError,
    'Cannot use @Scope("request"): expected "singleton" or "prototype"',
  );
});
