/** Random interleavings of transactions against a model, on each database. */
import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  Autowired,
  Bean,
  bootstrap,
  Configuration,
  ExceptionHandler,
  PathVariable,
  PostMapping,
  RestController,
} from "irori";
import { Transactional, transactional, TransactionManager } from "irori/transactions";
import { depth, writeProof } from "../../long/mod.ts";
import { cuttingProxy } from "./cutting_proxy.ts";
import { type Kind, KINDS, type TestDatabase } from "./databases.ts";
import { type Counts, isHarmless, Model, type Request, requestsOf } from "./interleavings.ts";

const RUNS = depth(60, 500, 10_000);
const RUNS_OF_A_WORLD = 500;
const MOST_REQUESTS = 4;
const table: string[] = [];

for (const kind of KINDS) {
  Deno.test({
    name: `interleavings of transactions + match a model, and leak nothing: ${kind.name}`,
    ignore: kind.skip !== undefined,
    async fn() {
      const seed = Number(Deno.env.get("SEED") ?? Date.now() % 2 ** 31);
      await using worlds = await Worlds.open(kind);
      const counts: Counts = { committed: 0, "rolled back": 0, unknown: 0 };
      await fc.assert(
        fc.asyncProperty(requestsOf(kind.hasPool), async (requests) => {
          const found = await worlds.run(requests);
          for (const outcome of ["committed", "rolled back", "unknown"] as const) {
            counts[outcome] += found[outcome];
          }
        }),
        { numRuns: RUNS, seed, endOnFailure: true },
      );
      assertEquals(counts.committed > 0 && counts["rolled back"] > 0, true);
      const cells = [
        kind.name,
        RUNS,
        counts.committed,
        counts["rolled back"],
        counts.unknown,
        seed,
      ];
      table.push(`| ${cells.join(" | ")} |`);
    },
  });
}

Deno.test.afterAll(() =>
  writeProof(
    "transactions",
    `# Interleavings of transactions

Random programs run at the same time, each in a transaction, by a call or by a handler, with as many connections as
programs: nested and independent transactions, parallel statements, failures, aborted requests, killed connections, lost
requests and answers of COMMIT, work that is not awaited. Afterwards rows, counters and the functions of \`afterCommit\`
and \`afterRollback\` are compared with a model, and no connection is in use. Transactions with an unknown outcome are
counted apart: all of their rows are there, or none, and none of their functions has run.

| database | interleavings | committed | rolled back | unknown | seed |
| --- | --- | --- | --- | --- | --- |
`,
    table,
  )
);

/** Runs the programs of a request by a handler. */
@RestController()
class ProgramController {
  @Autowired(TransactionManager)
  readonly manager!: TransactionManager;
  readonly work = new Map<string, () => Promise<void>>();
  readonly errors = new Map<string, unknown>();

  @PostMapping("/programs/{id}", PathVariable("id"))
  @Transactional({ retry: 2 })
  async run(id: string) {
    await this.work.get(id)!();
    return { id };
  }

  @ExceptionHandler(Error)
  failed(error: Error, { path }: { readonly path: string }) {
    this.errors.set(path, error);
    throw error;
  }
}

/** A database with an application, whose pool has as many connections as there are requests. */
interface World {
  readonly database: TestDatabase;
  readonly app: Awaited<ReturnType<typeof bootstrap>>;
}

class Worlds implements AsyncDisposable {
  readonly #worlds = new Map<number, World>();
  #runs = 0;

  private constructor(
    readonly kind: Kind,
    readonly proxy: ReturnType<typeof cuttingProxy> | undefined,
  ) {}

  static open(kind: Kind): Promise<Worlds> {
    const url = Deno.env.get(kind.name === "MariaDB" ? "TEST_MYSQL_URL" : "TEST_PG_URL") ?? "";
    return Promise.resolve(new Worlds(kind, kind.hasPool ? cuttingProxy(url) : undefined));
  }

  async run(requests: readonly Request[]): Promise<Counts> {
    if (++this.#runs % RUNS_OF_A_WORLD === 0) await this.#close();
    const { database, app } = await this.#world(requests.length);
    const { manager } = database;
    await database.reset();
    const model = new Model({
      run: database.run,
      transaction: (options, work) => transactional({ manager, ...options }, work),
      kill: () => database.kill().catch(() => {}),
      cut: (what) => void (this.proxy && (this.proxy.cut = what)),
    });
    const sent = requests.map(async ({ program, retry, isHandler }, index) => {
      const { work, settle } = model.attempt(program);
      try {
        if (isHandler) await send(app, `${index}`, work);
        else await transactional({ manager, retry }, work);
        settle();
      } catch (error) {
        settle(error);
        if (requests.every((one) => isHarmless(one.program))) throw error;
      }
    });
    await Promise.all(sent);
    await model.settled();
    if (this.proxy) this.proxy.cut = undefined;
    const counts = await model.check(async () => {
      const rows = await database.outside("SELECT id FROM notes");
      const counters = await database.outside("SELECT n FROM counters ORDER BY id");
      return {
        ids: new Set(rows.map(({ id }) => Number(id))),
        counters: counters.map(({ n }) => Number(n)),
      };
    });
    // One that was killed after its transaction may be given out once more.
    await this.#checkConnections(database, requests.length)
      .catch(() => this.#checkConnections(database, requests.length));
    return counts;
  }

  /** None is in use, and each can be had. */
  async #checkConnections(database: TestDatabase, size: number): Promise<void> {
    for (let tries = 0; database.used > 0 && tries < 400; tries++) await pause(5);
    assertEquals(database.used, 0);
    const all = Promise.withResolvers<void>();
    let count = 0;
    const one = () =>
      transactional({ manager: database.manager }, async () => {
        await database.run("SELECT 1");
        if (++count === size || !this.kind.hasPool) all.resolve();
        await all.promise;
      });
    await Promise.all(Array.from({ length: size }, () => one().finally(all.resolve)));
  }

  async #world(size: number): Promise<World> {
    const known = this.#worlds.get(this.kind.hasPool ? size : MOST_REQUESTS);
    if (known) return known;
    const { port } = this.proxy ?? {};
    const database = await this.kind.create({
      size,
      port,
      // The one connection of a database in this process is busy with the work of the others.
      acquireTimeout: this.kind.hasPool ? 0.2 : 0.5,
      isImpatient: true,
      isNew: RUNS > RUNS_OF_A_WORLD,
    });
    @Configuration()
    class Managers {
      @Bean({ type: TransactionManager })
      manager(): TransactionManager {
        return database.manager;
      }
    }
    const app = await bootstrap({
      components: [Managers, ProgramController],
      extensions: [() => ({ log: () => {} })],
    });
    const world = { database, app };
    this.#worlds.set(this.kind.hasPool ? size : MOST_REQUESTS, world);
    return world;
  }

  async #close(): Promise<void> {
    for (const { database, app } of this.#worlds.values()) {
      await app.close();
      await database[Symbol.asyncDispose]();
    }
    this.#worlds.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    await this.proxy?.[Symbol.asyncDispose]();
  }
}

/** Until connections that came too late are given back. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds));
}

/** @throws {unknown} what the handler failed with */
async function send(app: World["app"], id: string, work: () => Promise<void>): Promise<void> {
  const controller = app.context.get(ProgramController);
  const path = `/programs/${id}`;
  controller.work.set(id, work);
  controller.errors.delete(path);
  const { status } = await app.request(path, { method: "POST" });
  const error = controller.errors.get(path);
  assertEquals(status, error === undefined ? 200 : status < 500 ? 500 : status);
  if (error !== undefined) throw error;
}
