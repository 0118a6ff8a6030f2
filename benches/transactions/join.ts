/**
 * Prints what an async method costs, in nanoseconds, when it is called within `AsyncLocalStorage.run`, and when it joins a
 * transaction. Rounds take turns; the fastest one of each counts.
 */
import { bootstrap, decorate, inject, Service } from "irori";
import { current, Transactional, transactional, TransactionManager } from "irori/transactions";
import { AsyncLocalStorage } from "node:async_hooks";

/** A database that does nothing. */
class Nothing extends TransactionManager<number> {
  readonly connection = 0;

  run<T>(_: unknown, work: (connection: number) => Promise<T>): Promise<T> {
    return work(1);
  }
}
decorate({ Nothing }, {}, Service());

class Repository {
  readonly manager = inject(Nothing);

  // deno-lint-ignore require-await -- nothing else is measured
  async plain(id: number): Promise<number> {
    return id;
  }

  // deno-lint-ignore require-await -- nothing else is measured
  async decorated(id: number): Promise<number> {
    return id;
  }
}
decorate({ Repository }, { decorated: [Transactional()] }, Service());

const { context } = await bootstrap({ components: [Nothing, Repository], config: {} });
const repository = context.get(Repository);
const { manager } = repository;
const storage = new AsyncLocalStorage();
const options = { manager };

const ways: Readonly<Record<string, () => Promise<number>>> = {
  "AsyncLocalStorage.run": () => storage.run(options, () => repository.plain(1)),
  "transactional()": () => transactional(options, () => repository.plain(1)),
  "@Transactional()": () => repository.decorated(1),
};

const CALLS = 20_000;
const ROUNDS = 60;

async function round(call: () => Promise<number>): Promise<number> {
  const started = performance.now();
  for (let count = 0; count < CALLS; count++) await call();
  return (performance.now() - started) * 1e6 / CALLS;
}

function synchronous(call: () => unknown): number {
  const started = performance.now();
  for (let count = 0; count < CALLS; count++) call();
  return (performance.now() - started) * 1e6 / CALLS;
}

const fastest: Record<string, number> = {};
await transactional(options, async () => {
  for (let count = 0; count < ROUNDS; count++) {
    for (const [name, call] of Object.entries(ways)) {
      fastest[name] = Math.min(fastest[name] ?? Infinity, await round(call));
    }
    const found = synchronous(() => current(manager));
    fastest["current()"] = Math.min(fastest["current()"] ?? Infinity, found);
  }
});
console.log(JSON.stringify(fastest));
