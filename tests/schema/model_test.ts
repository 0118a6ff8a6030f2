import { assert, assertEquals, assertInstanceOf } from "@std/assert";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { Model } from "../../mod.ts";

const zodSchema = z.object({ name: z.string(), size: z.number().default(1) });

class ZodThing extends Model(zodSchema) {
  label = (): string => `${this.name} ${this.size}`;
}

class ValibotThing extends Model(v.object({ name: v.string(), size: v.optional(v.number(), 1) })) {
  label = (): string => `${this.name} ${this.size}`;
}

class ArkThing extends Model(type({ name: "string", size: "number = 1" })) {
  label = (): string => `${this.name} ${this.size}`;
}

for (const Thing of [ZodThing, ValibotThing, ArkThing]) {
  Deno.test(`Model() + makes instances of the subclass: ${Thing.name}`, async () => {
    const result = await Thing["~standard"].validate({ name: "a" });
    assert(!result.issues);
    assertInstanceOf(result.value, Thing);
    assertEquals((result.value as ZodThing).label(), "a 1");
    assert((await Thing["~standard"].validate({ name: 1 })).issues);
  });
}

Deno.test("Model() + does not let a redeclared field wipe the validated value", async () => {
  class Thing extends Model(zodSchema) {
    override name = "default";
    extra = "kept";
  }
  const result = await Thing["~standard"].validate({ name: "sent" });
  assertEquals({ ...(result as { value: Thing }).value }, { name: "sent", extra: "kept", size: 1 });
});

Deno.test("Model() + waits for a schema that validates asynchronously", async () => {
  class Thing
    extends Model(z.object({ name: z.string().refine((name) => Promise.resolve(name === "a")) })) {}
  const pending = Thing["~standard"].validate({ name: "a" });
  assertInstanceOf(pending, Promise);
  assertInstanceOf((await pending as { value: Thing }).value, Thing);
  assert((await Thing["~standard"].validate({ name: "b" })).issues);
});

Deno.test("Model() + never assigns a prototype", async () => {
  class Loose extends Model(z.looseObject({})) {}
  const sent = JSON.parse('{"__proto__":{"admin":true},"a":1}');
  const { value } = await Loose["~standard"].validate(sent) as { value: Record<string, unknown> };
  assertInstanceOf(value, Loose);
  assertEquals([value.admin, value.a], [undefined, 1]);
});

Deno.test("Model() + gives subclasses of one model instances of their own", async () => {
  class Base extends Model(zodSchema) {}
  class Derived extends Base {}
  const result = await Derived["~standard"].validate({ name: "a" });
  assertInstanceOf((result as { value: unknown }).value, Derived);
});

Deno.test("Model() + assigns nothing that its prototype has: methods, setters, constructor", async () => {
  const set: unknown[] = [];
  class Account extends Model(z.looseObject({ name: z.string() })) {
    role = "user";
    isAdmin() {
      return this.role === "admin";
    }
    set level(value: unknown) {
      set.push(value);
    }
  }
  const text = '{"name":"Ada","role":"editor","isAdmin":1,"level":9,"constructor":1,"toString":1,' +
    '"hasOwnProperty":1,"other":2}';
  const result = await Account["~standard"].validate(JSON.parse(text));
  assert(!result.issues);
  const account = result.value as Account;
  assertInstanceOf(account, Account);
  assertEquals([account.constructor, account.isAdmin(), set], [Account, false, []]);
  assertEquals(Object.keys(account).sort(), ["name", "other", "role"]);
  assertEquals(account.role, "editor");
});
