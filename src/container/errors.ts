import { errorOf, quoted } from "../text/mod.ts";

export const KEEP_NAMES: string =
  "keep the names of classes where a bundler shortens them (--keep-names, the plugin " +
  "of '@irori/irori/vite', decorate({ Name }, …))";

/** Two beans of one name. */
export class DuplicateBeanError extends Error {
  override readonly name = "DuplicateBeanError";

  constructor(
    readonly bean: string,
    readonly places: readonly [string, string],
    areDerived = false,
  ) {
    super(
      `Cannot register two beans named '${bean}': found ${places.join(" and ")}; ` +
        "give one of them another name" +
        (areDerived ? `, or ${KEEP_NAMES}` : ""),
    );
  }
}

/** Nothing fits what is asked for. */
export class NoSuchBeanError extends Error {
  override readonly name = "NoSuchBeanError";

  /** The message names what is similar, or the decorator that keeps a class from being found. */
  constructor(
    readonly wanted: string,
    readonly path: readonly string[],
    readonly similar: readonly string[],
    /** The decorator, without `@`, of a class that is declared as a bean but was not given to the container. */
    readonly stereotype?: string,
    reason?: string,
  ) {
    const hint = reason !== undefined
      ? `: ${reason}`
      : stereotype !== undefined
      ? `: the class has @${stereotype}(), but is neither among the components nor in a folder of 'component-scan'`
      : similar.length > 0
      ? `; did you mean ${quoted(similar)}?`
      : "";
    super(`Cannot find a bean ${wanted}${needed(path)}${hint}`);
  }
}

/** Several beans fit what is asked for. */
export class NoUniqueBeanError extends Error {
  override readonly name = "NoUniqueBeanError";

  /** The message names those that fit, and how to choose. */
  constructor(
    readonly wanted: string,
    readonly candidates: readonly string[],
    readonly path: readonly string[],
  ) {
    super(
      `Cannot choose a bean ${wanted}${needed(path)}: found ${quoted(candidates)}; ` +
        "mark one with @Primary(), or ask with @Qualifier(name)",
    );
  }
}

/** Beans that need each other to be built. */
export class BeanCycleError extends Error {
  override readonly name = "BeanCycleError";

  /** The message shows the way around. */
  constructor(readonly path: readonly string[]) {
    super(`Cannot build beans that need each other: ${path.join(" → ")}`);
  }
}

/** A bean whose constructor, factory or `@PostConstruct` method failed. */
export class BeanCreationError extends Error {
  override readonly name = "BeanCreationError";

  /** The message is that of what failed, with the bean and who needs it. */
  constructor(readonly path: readonly string[], cause: unknown) {
    const reason = errorOf(cause).message;
    super(`Cannot build the bean '${path.at(-1)}'${needed(path.slice(0, -1))}: ${reason}`, {
      cause,
    });
  }
}

export const BEAN_ERRORS: readonly (new (...given: never[]) => Error)[] = [
  BeanCreationError,
  BeanCycleError,
  NoSuchBeanError,
  NoUniqueBeanError,
];

/** `inject()` where nothing is being built, or of what is no class yet; a prototype that would have to be awaited. */
export class InjectionError extends Error {
  override readonly name = "InjectionError";
}

function needed(path: readonly string[]): string {
  return path.length > 0 ? ` (needed by ${path.join(" → ")})` : "";
}
