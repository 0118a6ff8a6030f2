import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Bean, bootstrap, Component, Configuration, decorate, inject, Service } from "irori";
import {
  current,
  SqliteTransactions,
  Transactional,
  TransactionError,
  TransactionManager,
} from "irori/transactions";
import { DatabaseSync } from "node:sqlite";
import { RecordingManager } from "./recording_manager.ts";

@Configuration()
class OneManager {
  @Bean({ type: TransactionManager })
  manager(): TransactionManager {
    return new RecordingManager();
  }
}

@Configuration()
class TwoManagers {
  @Bean({ type: RecordingManager })
  main(): RecordingManager {
    return new RecordingManager();
  }

  @Bean({ type: RecordingManager })
  reports(): RecordingManager {
    return new RecordingManager();
  }
}

type Components = NonNullable<NonNullable<Parameters<typeof bootstrap>[0]>["components"]>;

/** The beans of an application. */
async function beansOf(...components: Components) {
  return (await bootstrap({ components })).context;
}

@Service()
class Notes {
  readonly manager = inject(TransactionManager) as RecordingManager;

  @Transactional()
  async add(id: number, text = "text"): Promise<string> {
    current(this.manager)(`insert ${id}`);
    return await this.end(text);
  }

  @Transactional()
  private async end(text: string): Promise<string> {
    return await Promise.resolve(`${text} added`);
  }
}

Deno.test("@Transactional + runs methods in a transaction, private ones too", async () => {
  const notes = (await beansOf(OneManager, Notes)).get(Notes);
  assertEquals(await notes.add(1), "text added");
  assertEquals(notes.manager.log, ["begin", "insert 1", "commit"]);
  assertEquals([notes.add.name, notes.add.length], ["add", 1]);
});

Deno.test("@Transactional + works by decorate(), whose initializers inject", async () => {
  class Plain {
    readonly manager = inject(TransactionManager) as RecordingManager;

    async add(id: number): Promise<void> {
      await Promise.resolve(current(this.manager)(`insert ${id}`));
    }
  }
  decorate({ Plain }, { add: [Transactional({ propagation: "nested" })] }, Service());
  const plain = (await beansOf(OneManager, Plain)).get(Plain);
  await plain.add(1);
  assertEquals(plain.manager.log, ["begin", "insert 1", "commit"]);
});

Deno.test("@Transactional + finds a manager by its name, by its class, or is given it", async () => {
  const given = new RecordingManager();
  @Component()
  class Own extends RecordingManager {}
  @Service()
  class Several {
    readonly reports = inject<RecordingManager>("reports");
    readonly own = inject(Own);

    @Transactional({ manager: "reports" })
    async byName(): Promise<void> {
      await this.byClass();
    }

    @Transactional({ manager: Own })
    async byClass(): Promise<void> {
      await this.byObject();
    }

    @Transactional({ manager: given })
    async byObject(): Promise<void> {
      await Promise.resolve(current(given)("insert"));
    }
  }
  const several = (await beansOf(TwoManagers, Own as never, Several)).get(Several);
  await several.byName();
  assertEquals(given.log, ["begin", "insert", "commit"]);
  for (const { log } of [several.reports, several.own]) assertEquals(log, ["begin", "commit"]);
  given.log.length = 0;
  // Not built by the container, and without the fields.
  const copy: Several = Object.create(Several.prototype);
  await assertRejects(() => copy.byObject(), TransactionError, "Cannot run 'byObject'");
  assertEquals(given.log, []);
});

Deno.test("@Transactional + fails at startup without a manager, or with several", async () => {
  await assertRejects(() => beansOf(Notes), Error, "Cannot find a bean of type TransactionManager");
  await assertRejects(
    () => beansOf(TwoManagers, Notes),
    Error,
    "Cannot choose a bean of type TransactionManager (needed by notes): found 'main', 'reports'",
  );
});

Deno.test("@Transactional + refuses requires-new at startup where there is one connection", async () => {
  @Configuration()
  class Connections {
    @Bean({ type: SqliteTransactions })
    database(): SqliteTransactions {
      return new SqliteTransactions(new DatabaseSync(":memory:"));
    }
  }
  @Service()
  class Audit {
    @Transactional({ propagation: "requires-new" })
    async add(): Promise<void> {
      await Promise.resolve();
    }
  }
  await assertRejects(
    () => beansOf(Connections, Audit),
    Error,
    'Cannot use the propagation "requires-new": the database has one connection',
  );
});

Deno.test("@Transactional + says which object the container has not built", async () => {
  class Unmanaged {
    @Transactional()
    async add(): Promise<void> {
      await Promise.resolve();
    }

    @Transactional({ manager: new RecordingManager() })
    async given(): Promise<string> {
      return await Promise.resolve("given");
    }

    @Transactional({ manager: new RecordingManager() })
    static async ofClass(): Promise<string> {
      return await Promise.resolve("of the class");
    }
  }
  await assertRejects(
    () => new Unmanaged().add(),
    TransactionError,
    "Cannot run 'add' in a transaction: expected an object that the container builds, or @Transactional({ manager })",
  );
  assertEquals(await new Unmanaged().given(), "given");
  assertEquals(await Unmanaged.ofClass(), "of the class");
});

Deno.test("@Transactional + refuses invalid options", () => {
  const refused: [options: object, message: string][] = [
    [
      { readonly: true },
      "Cannot use the options of a transaction: Unknown option 'readonly': did you mean 'readOnly'?",
    ],
    [
      { propagation: "new" },
      `Cannot use 'propagation' of a transaction: expected one of 'required',`,
    ],
    [
      { isolation: "SERIALIZABLE" },
      `Cannot use 'isolation' of a transaction: expected one of 'read un`,
    ],
    [
      { timeout: 0 },
      "Cannot use 'timeout' of a transaction: expected seconds, above 0 and below 2147483, found '0'",
    ],
    [{ timeout: 1e9 }, "below 2147483, found '1000000000'"],
    [{ timeout: "1s" }, "below 2147483, found '1s'"],
    [
      { retry: 1.5 },
      "Cannot use 'retry' of a transaction: expected a whole number from 0, found",
    ],
    [
      { retry: -1 },
      "Cannot use 'retry' of a transaction: expected a whole number from 0, found",
    ],
  ];
  for (const [options, message] of refused) {
    assertThrows(() => Transactional(options), TransactionError, message);
  }
  assertThrows(
    () =>
      (Transactional as unknown as (...args: unknown[]) => void)(() => {}, {
        kind: "method",
        name: "add",
      }),
    TypeError,
    "Cannot apply @Transactional to 'add': expected @Transactional()",
  );
});

Deno.test("@Transactional + refuses classes, fields and getters", () => {
  for (const kind of ["class", "field", "getter"]) {
    assertThrows(
      () =>
        (Transactional() as unknown as (value: unknown, context: object) => void)(
          class {},
          { kind, name: "one", metadata: {}, addInitializer() {} },
        ),
      TransactionError,
      `Cannot apply @Transactional to the ${kind} 'one': expected a method`,
    );
  }
});
