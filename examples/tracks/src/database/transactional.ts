import { inject } from "irori";
import { Database } from "./database.ts";

/** Runs a method of a bean in a transaction: what it throws undoes all of it. */
export function Transactional() {
  return <This extends object, A extends unknown[], R>(
    method: (this: This, ...parameters: A) => Promise<R>,
    context: ClassMethodDecoratorContext<This>,
  ) => {
    const databases = new WeakMap<This, Database>();
    // Runs while the bean is built, when beans can be asked for.
    context.addInitializer(function () {
      databases.set(this, inject(Database));
    });
    return function (this: This, ...parameters: A): Promise<R> {
      return databases.get(this)!.transaction(() => method.apply(this, parameters));
    };
  };
}
