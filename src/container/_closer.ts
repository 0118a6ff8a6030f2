import { within } from "../runtime/mod.ts";
import { errorOf, isThenable } from "../text/mod.ts";
import { type Destruction, endings, readyMethods } from "./_life_cycle.ts";

interface Created {
  readonly name: string;
  readonly instance: unknown;
  readonly made?: Destruction;
  /** Whether its `@PostConstruct` methods are done: it is closed only then. */
  isInitialised: boolean;
}

/** Calls the `@OnReady` methods of beans, in order of creation, until they close. @throws {Error} of the first that fails */
export async function callReady({ created }: { readonly created: Closer }): Promise<void> {
  for (const { instance } of [...created.beans]) {
    for (const [name, call] of readyMethods(instance)) {
      if (created.isClosing) return;
      try {
        await call();
      } catch (cause) {
        throw new Error(`Cannot start: '${name}' failed: ${errorOf(cause).message}`, { cause });
      }
    }
  }
}

export class Closer {
  readonly beans: Created[] = [];
  isClosing = false;

  constructor(readonly seconds?: number) {}

  add(name: string, instance: unknown, made?: Destruction): () => void {
    const bean: Created = { name, instance, made, isInitialised: false };
    this.beans.push(bean);
    return () => void (bean.isInitialised = true);
  }

  /** @throws {AggregateError} with what failed, after all were closed */
  async close(): Promise<void> {
    this.isClosing = true;
    const errors: unknown[] = [];
    // A factory that is no longer awaited may still add one.
    for (let bean = this.beans.pop(); bean !== undefined; bean = this.beans.pop()) {
      const { name, instance, made, isInitialised } = bean;
      if (!isInitialised) continue;
      for (const end of endings(instance, made)) {
        try {
          await this.#inTime(end());
        } catch (cause) {
          errors.push(
            new Error(`Cannot close the bean '${name}': ${errorOf(cause).message}`, { cause }),
          );
        }
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, "Some beans could not be closed");
  }

  /** What never ends would keep the beans after it open. */
  async #inTime(end: unknown): Promise<void> {
    const { seconds } = this;
    if (!isThenable(end) || seconds === undefined) return void await end;
    const ended = Promise.resolve(end);
    if (await within(ended, Math.max(seconds * 1000, LEAST_MS), LATE) !== LATE) return;
    ended.catch(() => {}); // No longer awaited.
    throw new Error(`it took longer than ${seconds} s`);
  }
}

const LATE: unique symbol = Symbol("late");

const LEAST_MS = 500;
