import { assertEquals, assertRejects } from "@std/assert";
import { createConfig } from "../../src/config/mod.ts";
import {
  Bean,
  Component,
  Configuration,
  createContext,
  inject,
  PostConstruct,
  PreDestroy,
} from "../../src/container/mod.ts";
import { contextOf, contextWith } from "./context_of.ts";

const calls: string[] = [];

/** An object whose methods note that they are called. */
function noting(
  name: string,
  ...methods: (string | symbol)[]
): Record<string | symbol, () => void> {
  return Object.fromEntries(
    methods.map((method) => [method, () => void calls.push(`${name} ${String(method)}`)]),
  );
}

/** The names of the methods that run when a context of these beans closes, in order. */
async function closed(...components: (new () => object)[]): Promise<readonly string[]> {
  calls.length = 0;
  await (await contextOf(...components)).close();
  return [...calls];
}

Deno.test("Bean() + closes what it gave by what that has: disposers, close, end", async () => {
  @Configuration()
  class Beans {
    @Bean()
    all() {
      return noting("1", "end", "close", Symbol.dispose, Symbol.asyncDispose);
    }
    @Bean()
    disposable() {
      return noting("2", "end", "close", Symbol.dispose);
    }
    @Bean()
    closable() {
      return noting("3", "end", "close");
    }
    @Bean()
    async endable() {
      return await noting("4", "end");
    }
    @Bean()
    callable() {
      return Object.assign(() => {}, noting("5", "end"));
    }
    @Bean()
    nothing() {
      return noting("6", "stop");
    }
  }
  assertEquals(await closed(Beans), [
    "5 end",
    "4 end",
    "3 close",
    "2 Symbol(Symbol.dispose)",
    "1 Symbol(Symbol.asyncDispose)",
  ]);
});

Deno.test("Bean({ destroy }) + names the method, or none, and wants it to be there", async () => {
  @Configuration()
  class Beans {
    @Bean({ destroy: "quit" })
    quits() {
      return { quit: () => void calls.push("1 quit"), close: () => void calls.push("1 close") };
    }
    @Bean("renamed", { destroy: false })
    never() {
      return noting("2", "close", Symbol.dispose);
    }
  }
  assertEquals(await closed(Beans), ["1 quit"]);

  const plain = {} as { quit(): void };
  @Configuration()
  class Wrong {
    @Bean({ destroy: "quit" })
    pool() {
      return plain;
    }
  }
  await assertRejects(
    () => contextOf(Wrong),
    Error,
    "Cannot build the bean 'pool': it has no method 'quit', which @Bean({ destroy }) names",
  );
});

Deno.test("Bean() + does not guess a method that takes arguments, and says so", async () => {
  const { warn } = console;
  const lines: unknown[] = [];
  console.warn = (line) => lines.push(line);
  try {
    @Configuration()
    class Beans {
      @Bean()
      pool() {
        return { end: (_callback?: () => void) => void calls.push("pool") };
      }
      @Bean({ destroy: "end" })
      named() {
        return { end: (_callback?: () => void) => void calls.push("named") };
      }
      @Bean({ destroy: false })
      kept() {
        return { close: (_code: number) => void calls.push("kept") };
      }
    }
    assertEquals(await closed(Beans), ["named"]);
  } finally {
    console.warn = warn;
  }
  assertEquals(lines, [
    "The bean 'pool' is not closed with the application: its end() takes arguments; " +
    'call it without any by @Bean({ destroy: "end" }), or say @Bean({ destroy: false })',
  ]);
});

Deno.test("Bean() + closes no proxy that would answer to any name", async () => {
  @Configuration()
  class Beans {
    @Bean()
    remote() {
      return new Proxy({}, {
        get: (_, name) => name === "then" ? undefined : () => void calls.push(String(name)),
      });
    }
  }
  assertEquals(await closed(Beans), []);
});

Deno.test("Bean() + @PreDestroy comes before a named method and in place of a guessed one", async () => {
  class Pool {
    constructor(readonly name: string) {}
    @PreDestroy()
    drain() {
      calls.push(`${this.name} drain`);
    }
    end() {
      calls.push(`${this.name} end`);
    }
  }
  @Configuration()
  class Beans {
    @Bean()
    one() {
      return new Pool("1");
    }
    @Bean({ destroy: "end" })
    two() {
      return new Pool("2");
    }
  }
  assertEquals(await closed(Beans), ["2 drain", "2 end", "1 drain"]);
});

Deno.test("close() + a component's own close() is not called, nor what overrides a bean", async () => {
  @Component()
  class Store {
    close() {
      calls.push("store");
    }
  }
  @Configuration()
  class Beans {
    @Bean("pool")
    pool() {
      return noting("pool", "close");
    }
    @Bean("same")
    same() {
      return inject("pool");
    }
  }
  assertEquals(await closed(Store, Beans), ["pool close"]);
  calls.length = 0;
  const overrides = [["pool", noting("fake", "close")]] as const;
  await (await contextWith([Beans], { overrides })).close();
  assertEquals(calls, []);
});

Deno.test("close() + goes on after one that fails, in reverse order, and tells each", async () => {
  @Configuration()
  class Beans {
    @Bean()
    one() {
      return noting("1", "close");
    }
    @Bean()
    two() {
      return { close: () => Promise.reject(new Error("late")) };
    }
    @Bean()
    three() {
      return noting("3", "close");
    }
  }
  calls.length = 0;
  const context = await contextOf(Beans);
  const error = await assertRejects(() => context.close(), AggregateError);
  assertEquals(error.errors.map(({ message }) => message), ["Cannot close the bean 'two': late"]);
  assertEquals(calls, ["3 close", "1 close"]);
});

Deno.test("PostConstruct() and PreDestroy() + of several classes wait for what is no promise, but like one", async () => {
  calls.length = 0;
  /** As query builders are: they work when they are waited for. */
  const lazily = (what: string): PromiseLike<void> => ({
    then: (...reactions) => Promise.resolve().then(() => void calls.push(what)).then(...reactions),
  });
  @Component()
  class Tables {
    @PostConstruct()
    create() {
      return lazily("created");
    }
    @PreDestroy()
    drop() {
      return lazily("dropped");
    }
  }
  const context = await contextOf(Tables);
  assertEquals(calls, ["created"]);
  await context.close();
  assertEquals(calls, ["created", "dropped"]);
});

Deno.test("PreDestroy() + one that never ends is named, and holds up no other bean", async () => {
  calls.length = 0;
  @Component()
  class First {
    @PreDestroy()
    end() {
      calls.push("first");
    }
  }
  @Component()
  class Hanging {
    readonly first = inject(First);
    @PreDestroy()
    end() {
      return { then: () => new Promise<never>(() => {}) };
    }
  }
  const context = await createContext({
    components: [First, Hanging],
    config: createConfig({}),
    destroySeconds: 0,
  });
  const { errors } = await assertRejects(() => context.close(), AggregateError);
  assertEquals(calls, ["first"]);
  assertEquals(errors.map(String), [
    "Error: Cannot close the bean 'hanging': it took longer than 0 s",
  ]);
});
