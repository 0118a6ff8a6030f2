import {
  Autowired,
  Bean,
  Component,
  Configuration,
  inject,
  PostConstruct,
  PreDestroy,
  Primary,
  Profile,
  Qualifier,
  Scope,
  Service,
  Value,
} from "../../src/container/mod.ts";
import { assertCompiles } from "../compiler.ts";

// These classes are never built: the test is that they compile, and that the marked lines do not.

abstract class Store {
  abstract name: string;
}

@Service()
class Clock {
  readonly now = 0;
}

@Primary()
@Scope("singleton")
@Component()
export class Accepted {
  @Autowired(Clock)
  readonly clock!: Clock;
  @Autowired(Clock)
  readonly wider!: object;
  @Autowired(Store)
  readonly store!: Store;
  @Qualifier("b")
  @Autowired(() => Later)
  readonly #later!: Later;
  @Autowired("clock")
  readonly named!: Clock;
  @Value("${a:1}")
  readonly size!: number;
  @Value("${pool.size:10}", "int")
  readonly poolSize!: number;
  @Value("${start}", "date-time")
  readonly #start!: Date;
  @Value("${mode:fast}", ["fast", "safe"])
  readonly mode!: "fast" | "safe";
  readonly injected: Clock = inject(Clock);
  readonly abstract: Store = inject(Store);

  constructor(readonly byDefault = inject(Clock), readonly options: object = {}) {}

  later(): Later | Date {
    return this.#later ?? this.#start;
  }

  @PostConstruct()
  open(): void {}

  @PreDestroy()
  async close() {}
}

class Later {}

@Configuration()
export class Beans {
  @Primary()
  @Bean("clock", { type: Clock })
  async clock() {
    return await new Clock();
  }

  @Bean({ destroy: "end" })
  overloaded(): { end(): Promise<void>; end(callback: () => void): void } {
    return { end: () => Promise.resolve() };
  }

  @Bean("closing", { type: Clock, destroy: "close" })
  async closing() {
    return await { now: 0, close: (_code?: number) => {} };
  }

  @Bean({ destroy: false })
  left(): object {
    return {};
  }

  @Bean("store", { type: Store })
  store() {
    return { name: "store" };
  }
}

// @ts-expect-error: abstract classes cannot be built
@Component()
export abstract class Abstract {}

// @ts-expect-error: the container has nothing to pass
@Service()
export class NeedsArguments {
  constructor(readonly clock: Clock) {}
}

// @ts-expect-error: the container cannot call it
@Component()
export class Closed {
  private constructor() {}
}

// Decorators refuse some of it at run time as well.
export const refused = () => {
  class Refused {
    // @ts-expect-error: a store is no clock
    @Autowired(Clock)
    readonly store!: Store;

    // @ts-expect-error: nor is what the function gives
    @Autowired(() => Later)
    readonly later!: Clock;

    // @ts-expect-error: only fields are filled
    @Autowired(Clock)
    method(): void {}

    // @ts-expect-error: the container passes no argument
    @Bean()
    factory(_clock: Clock): object {
      return {};
    }

    // @ts-expect-error: an int is no text
    @Value("${pool.size:10}", "int")
    readonly size!: string;

    // @ts-expect-error: there is no such type
    @Value("${pool.size:10}", "integer")
    readonly count!: number;

    // @ts-expect-error: there is no such method
    @Bean({ destroy: "end" })
    endless() {
      return { close() {} };
    }

    // @ts-expect-error: the container passes no argument
    @Bean({ destroy: "close" })
    demanding() {
      return { close(_code: number) {} };
    }

    // @ts-expect-error: there may be none
    readonly optional: Clock = inject.optional(Clock);

    // @ts-expect-error: there may be several
    readonly all: Clock = inject.all(Clock);

    // @ts-expect-error: nor here
    @PostConstruct()
    open(_clock: Clock): void {}

    // @ts-expect-error: a method is no class
    @Component()
    component(): void {}
  }
  return Refused;
};

// @ts-expect-error: there are two scopes
export const wronglyScoped = () => Scope("request");

// @ts-expect-error: one has to be named
export const unprofiled = () => Profile();

Deno.test("container types + compile as above", () => assertCompiles(import.meta.url));
