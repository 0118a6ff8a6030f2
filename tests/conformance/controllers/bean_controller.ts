import { z } from "zod";
import {
  Autowired,
  Bean,
  bootstrap,
  type BootstrapOptions,
  Component,
  Configuration,
  type Extension,
  GetMapping,
  inject,
  OnReady,
  PostConstruct,
  PreDestroy,
  Primary,
  Profile,
  Qualifier,
  RequestMapping,
  RestController,
  Scope,
  Value,
} from "../../../mod.ts";

abstract class Store {
  abstract readonly name: string;
}

@Component()
@Primary()
class MainStore extends Store {
  readonly name = "main";
}

@Component("second")
class SecondStore extends Store {
  readonly name = "second";
}

@Component()
@Profile("dev")
class DevStore extends Store {
  readonly name = "dev";
}

@Component()
@Scope("prototype")
class Counter {
  count = 0;
}

class Pool {
  constructor(readonly size: number) {}
}

@Configuration()
class Pools {
  @Value("${pool.size:10}", "int")
  readonly size!: number;

  @Bean({ type: Pool })
  async pool() {
    await Promise.resolve();
    return new Pool(this.size + 1);
  }

  @Bean()
  @Profile("!dev")
  replica() {
    return { pool: inject(Pool) };
  }
}

@RestController()
class Wired {
  @Autowired(Store)
  readonly #store!: Store;
  @Autowired(Store)
  @Qualifier("second")
  private readonly second!: Store;
  @Autowired(() => Pool)
  readonly pool!: Pool;
  @Value("${names}", z.array(z.string()))
  readonly names!: string[];
  readonly replica = inject<{ readonly pool: Pool }>("replica");
  readonly counters = [inject(Counter), inject(Counter)];
  readonly dev = inject.optional(DevStore);
  readonly all = inject.all(Store);
  steps = "";

  @PostConstruct()
  async open() {
    await Promise.resolve();
    this.steps += "open";
  }

  @OnReady()
  ready() {
    this.steps += " ready";
  }

  @GetMapping("/wired")
  wired() {
    return [
      [this.#store.name, this.second.name, this.pool.size, this.replica.pool === this.pool],
      [this.names, this.counters[0] !== this.counters[1], this.dev ?? null],
      [this.all.map(({ name }) => name), this.steps],
    ];
  }
}

const WIRED = [MainStore, SecondStore, DevStore, Counter, Pools, Wired];
const CONFIG = { names: ["a", "b"], pool: { size: 4 } };

/** Without `using`, which Node 22 cannot read. */
async function wiredAnswer(options: BootstrapOptions = {}): Promise<Response> {
  const app = await bootstrap({ components: WIRED, config: CONFIG, ...options });
  try {
    return await app.request("/wired");
  } finally {
    await app.close();
  }
}

/** Applications of their own, of beans that the suite's own does not need. */
@RestController()
@RequestMapping("/beans")
export class BeanController {
  @GetMapping("/wired")
  async wired() {
    return await wiredAnswer();
  }

  @GetMapping("/overrides")
  async overrides() {
    const pool = { size: 0 };
    return await wiredAnswer({ overrides: [[Pool, pool], ["second", { name: "other" }]] });
  }

  @GetMapping("/ends")
  async ends() {
    const closed: string[] = [];
    @Component()
    class First {
      @PreDestroy()
      async leave() {
        await Promise.resolve();
        closed.push("first");
      }
    }
    @Configuration()
    class Made {
      @Bean()
      disposed() {
        return { [Symbol.asyncDispose]: () => void closed.push("disposed"), close() {} };
      }
      @Bean({ destroy: "quit" })
      named() {
        inject("disposed");
        return { quit: () => void closed.push("named") };
      }
      @Bean()
      ended() {
        inject("named");
        return { end: () => void closed.push("ended") };
      }
      @Bean({ destroy: false })
      kept() {
        return { close: () => void closed.push("kept") };
      }
      @Bean()
      failing() {
        inject("ended");
        return { close: () => Promise.reject(new Error("Stuck")) };
      }
    }
    const app = await bootstrap({ components: [First, Made] });
    const failed = await app.close().then(() => [], ({ errors }: AggregateError) => errors);
    return [closed, failed.map(({ message }) => message)];
  }

  @GetMapping("/refused")
  async refused() {
    @Component("needy")
    class Needy {
      readonly dev = inject(DevStore);
    }
    @RestController()
    class Loose {
      @GetMapping({ path: "/", returns: z.looseObject({ id: z.int() }) })
      get() {
        return { id: 1 };
      }
    }
    const closed: string[] = [];
    @Component("broken")
    class Unready {
      readonly store = inject(Store);
      @PostConstruct()
      open() {
        return Promise.reject(new Error("Locked"));
      }
      @PreDestroy()
      close() {
        closed.push("broken");
      }
    }
    @Component()
    class Closed extends Store {
      readonly name = "closed";
      @PreDestroy()
      close() {
        closed.push("store");
      }
    }
    const failing: Extension = () => Promise.reject(new Error("No extension"));
    const said = (start: Promise<unknown>) =>
      start.then(() => "started", ({ message }: Error) => message);
    return [
      await said(bootstrap({ components: [Needy, DevStore] })),
      (await said(bootstrap({ components: [Loose] }))).split(": ")[0],
      await said(bootstrap({ components: [Unready, Closed] })),
      await said(bootstrap({ components: [Closed], extensions: [failing] })),
      closed,
    ];
  }
}
