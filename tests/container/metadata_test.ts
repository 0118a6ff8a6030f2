import { assertEquals, assertThrows } from "@std/assert";
import {
  addMetadata,
  allMetadata,
  Autowired,
  Bean,
  Component,
  Configuration,
  type MetadataKey,
  metadataKey,
  ownMetadata,
  PostConstruct,
  PreDestroy,
  Primary,
  Qualifier,
  Scope,
  Service,
  standardOnly,
  Value,
} from "../../src/container/mod.ts";

const TAGS: MetadataKey<string> = metadataKey("tags");
const SAME: MetadataKey<string> = metadataKey("tags");
const OTHERS: MetadataKey<string> = metadataKey("others");

function Tag(tag: string): (value: unknown, context: DecoratorContext) => void {
  return (_value, context) => addMetadata(context, TAGS, tag);
}

@Tag("base class")
class Base {
  @Tag("base method")
  method(): void {}
}

/** Only members are decorated: some compilers lose the tie to the parent's metadata then. */
class MembersOnly extends Base {
  @Tag("members only")
  other(): void {}
}

class Undecorated extends MembersOnly {}

@Tag("leaf class")
class Leaf extends Undecorated {}

Deno.test("Symbol.metadata + is there for compilers that need it", () => {
  assertEquals(typeof Symbol.metadata, "symbol");
});

Deno.test("ownMetadata() + has what was added to the class itself, in order", () => {
  assertEquals(ownMetadata(Base, TAGS), ["base method", "base class"]);
  assertEquals(ownMetadata(MembersOnly, TAGS), ["members only"]);
  assertEquals(ownMetadata(Undecorated, TAGS), []);
  assertEquals(ownMetadata(Leaf, TAGS), ["leaf class"]);
});

Deno.test("allMetadata() + has that of the whole chain, the oldest first", () => {
  assertEquals(allMetadata(Leaf, TAGS), [
    "base method",
    "base class",
    "members only",
    "leaf class",
  ]);
  assertEquals(allMetadata(Base, TAGS), ["base method", "base class"]);
  assertEquals(allMetadata(class {}, TAGS), []);
});

Deno.test("MetadataKey + of the same name is the same place, of another name another", () => {
  assertEquals(allMetadata(Leaf, SAME), allMetadata(Leaf, TAGS));
  assertEquals(allMetadata(Leaf, OTHERS), []);
});

Deno.test("allMetadata() + takes the parent as it is, not as it was named", () => {
  const parent = Base;
  const Mixed = class extends parent {
    @Tag("mixed")
    third(): void {}
  };
  assertEquals(allMetadata(Mixed, TAGS), ["base method", "base class", "mixed"]);
});

const MESSAGE =
  "is a standard decorator: remove 'experimentalDecorators' from the compiler options " +
  '(SWC: set jsc.transform.decoratorVersion to "2022-03"), or use decorate()';

Deno.test("standardOnly() + refuses the calls of the old decorators", async (t) => {
  const calls: readonly (readonly unknown[])[] = [
    [class {}],
    [{}, "field"],
    [{}, "field", undefined],
    [{}, "method", { value: () => {} }],
    [{}, "parameter", 0],
    [undefined, {}],
    [],
  ];
  for (const call of calls) {
    await t.step(`${call.length} arguments`, () => {
      const error = assertThrows(() => standardOnly("Tag", call), TypeError);
      assertEquals(error.message, `@Tag ${MESSAGE}`);
    });
  }
  standardOnly("Tag", [undefined, { kind: "field", addInitializer() {} }]);
});

Deno.test("every decorator + refuses the calls of the old decorators", async (t) => {
  const decorators = {
    Component: Component(),
    Service: Service(),
    Configuration: Configuration(),
    Primary: Primary(),
    Scope: Scope("prototype"),
    Autowired: Autowired("a"),
    Qualifier: Qualifier("a"),
    Value: Value("a"),
    Bean: Bean(),
    PostConstruct: PostConstruct(),
    PreDestroy: PreDestroy(),
  };
  for (const [name, decorator] of Object.entries(decorators)) {
    await t.step(name, () => {
      const legacy = decorator as unknown as (...args: unknown[]) => unknown;
      const error = assertThrows(() => legacy({}, "member", { value: () => {} }), TypeError);
      assertEquals(error.message, `@${name} ${MESSAGE}`);
    });
  }
});

Deno.test("members that no container can reach + are refused where they are decorated", async (t) => {
  const attempts: Record<string, () => unknown> = {
    "@Bean to '#hidden': expected a public method with a name": () =>
      class {
        @Bean()
        #hidden(): void {}
        used = () => this.#hidden();
      },
    "@PostConstruct to 'Symbol(a)': expected a public method with a name": () =>
      class {
        @PostConstruct()
        [Symbol("a")](): void {}
      },
    "@PreDestroy to 'end': expected an instance member": () =>
      class {
        @PreDestroy()
        static end(): void {}
      },
    "@Autowired to 'field': expected an instance member": () =>
      class {
        @Autowired("a")
        static field: unknown;
      },
    "@Value to 'field': expected an instance member": () =>
      class {
        @Value("a")
        static field: unknown;
      },
  };
  for (const [message, attempt] of Object.entries(attempts)) {
    await t.step(message, () => {
      assertEquals(assertThrows(attempt, TypeError).message, `Cannot apply ${message}`);
    });
  }
});
