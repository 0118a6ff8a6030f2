import { type Destruction, endings, readyMethods } from "./_life_cycle.ts";

/** A bean that was created, with what a `@Bean` method says of its end. */
interface Created {
  readonly name: string;
  readonly instance: unknown;
  readonly made?: Destruction;
}

/** Remembers beans in order of creation: tells them in it that the application is ready, and closes them in the reverse one. */
export class Closer {
  readonly #beans: Created[] = [];

  add(name: string, instance: unknown, made?: Destruction): void {
    this.#beans.push({ name, instance, made });
  }

  /** Calls the `@OnReady` methods, one after another. @throws {Error} that names the first that fails */
  async ready(): Promise<void> {
    for (const { instance } of this.#beans) {
      for (const [name, call] of readyMethods(instance)) {
        try {
          await call();
        } catch (cause) {
          throw new Error(`Cannot start: '${name}' failed: ${reasonOf(cause)}`, { cause });
        }
      }
    }
  }

  /** @throws {AggregateError} with what failed, after all were closed */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (const { name, instance, made } of this.#beans.splice(0).reverse()) {
      for (const end of endings(instance, made)) {
        try {
          await end();
        } catch (cause) {
          errors.push(new Error(`Cannot close the bean '${name}': ${reasonOf(cause)}`, { cause }));
        }
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, "Cannot close every bean");
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
