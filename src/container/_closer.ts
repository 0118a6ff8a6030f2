import { endings } from "./_life_cycle.ts";

/** Remembers beans in order of creation, and closes them in the reverse one. */
export class Closer {
  readonly #beans: { readonly name: string; readonly instance: unknown }[] = [];

  add(name: string, instance: unknown): void {
    this.#beans.push({ name, instance });
  }

  /** @throws {AggregateError} with what failed, after all were closed */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (const { name, instance } of this.#beans.splice(0).reverse()) {
      for (const end of endings(instance)) {
        try {
          await end();
        } catch (cause) {
          const reason = cause instanceof Error ? cause.message : String(cause);
          errors.push(new Error(`Cannot close the bean '${name}': ${reason}`, { cause }));
        }
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, "Cannot close every bean");
  }
}
