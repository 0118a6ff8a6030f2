import {
  BeanCreationError,
  BeanCycleError,
  InjectionError,
  NoSuchBeanError,
  NoUniqueBeanError,
} from "./errors.ts";

/** Interrupts a construction that needs what has to be awaited first; it is started again afterwards. */
export class Interruption {
  constructor(
    /** The bean to wait for; absent when any factory that did not run yet may make what is needed. */
    readonly bean: string | undefined,
    readonly path: readonly string[],
  ) {}
}

/** The error with the path that leads to it; errors that say everything already, and interruptions, stay. */
export function explained(error: unknown, path: readonly string[]): unknown {
  const own = error instanceof Interruption || error instanceof NoSuchBeanError ||
    error instanceof NoUniqueBeanError || error instanceof BeanCycleError ||
    error instanceof BeanCreationError || error instanceof InjectionError;
  return own ? error : new BeanCreationError(path, error);
}
