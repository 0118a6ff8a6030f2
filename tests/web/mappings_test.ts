import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  bootstrap,
  GetMapping,
  MappingError,
  PathVariable,
  RequestMapping,
  RestController,
  Use,
} from "../../mod.ts";

// The compiler refuses these already; applications in JavaScript need the message.

Deno.test("mappings + refuse what is no public method of instances", () => {
  const cases: readonly (readonly [found: string, declare: () => unknown])[] = [
    ["static method", () =>
      class {
        @GetMapping("/a")
        static handle() {}
      }],
    ["private method", () =>
      class {
        @GetMapping("/a")
        #handle() {}
        use() {
          this.#handle();
        }
      }],
  ];
  for (const [found, declare] of cases) {
    assertThrows(declare, MappingError, `expected a public instance method, found a ${found}`);
  }
  const field = GetMapping("/a") as unknown as (value: unknown, context: unknown) => void;
  assertThrows(
    () =>
      field(undefined, { kind: "field", name: "x", static: false, private: false, metadata: {} }),
    MappingError,
    "Cannot apply @GetMapping to 'x': expected a public instance method, found a field",
  );
});

Deno.test("RequestMapping() + refuses a prefix on a method", () => {
  const onMethod = RequestMapping("/a") as unknown as (value: unknown, context: unknown) => void;
  assertThrows(
    () => onMethod(() => {}, { kind: "method", name: "x", metadata: {} }),
    MappingError,
    "Cannot apply @RequestMapping to the method 'x'",
  );
});

Deno.test("decorators + say how to turn the old kind off", () => {
  const decorators = {
    RestController: RestController(),
    GetMapping: GetMapping("/a"),
    RequestMapping: RequestMapping("/a"),
    Use: Use(),
  };
  for (const [name, decorator] of Object.entries(decorators)) {
    assertThrows(
      () => (decorator as (...args: unknown[]) => unknown)({}, "handle", {}),
      TypeError,
      `@${name} is a standard decorator: remove 'experimentalDecorators'`,
    );
  }
});

Deno.test("PathVariable() + is refused at startup where the path has no such variable", async () => {
  @RestController()
  @RequestMapping("/{org}")
  class Method {
    @GetMapping("/a/{id}", PathVariable("org" as "id"))
    handle() {}
  }
  await assertRejects(
    () => bootstrap({ components: [Method] }),
    MappingError,
    "Cannot bind the path variable 'org' of 'Method.handle': the path of its mapping does not contain " +
      "'{org}'",
  );
  @RestController()
  class Class {
    @GetMapping("/a/{id}", PathVariable("id", "int", { in: "class" }))
    handle() {}
  }
  await assertRejects(
    () => bootstrap({ components: [Class] }),
    MappingError,
    "Cannot bind the path variable 'id' of 'Class.handle': the prefix of its class does not contain '{id}'; " +
      'the path of its mapping does: leave out { in: "class" }',
  );
  @RestController()
  @RequestMapping("/users/{user}/notes")
  class Notes {
    @GetMapping("/{note}", PathVariable("user" as "note"))
    handle() {}
  }
  const error = await assertRejects(() => bootstrap({ components: [Notes] }), MappingError);
  assertEquals(
    error.message,
    "Cannot bind the path variable 'user' of 'Notes.handle': the path of its mapping does not contain '{user}'; " +
      'the prefix of its class does: write PathVariable("user", "string", { in: "class" })',
  );
});
