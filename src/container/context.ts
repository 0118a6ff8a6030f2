import type { Config } from "../config/mod.ts";
import { orAborted } from "../runtime/mod.ts";
import { Builder } from "./_builder.ts";
import { missingExtensionHint } from "./_keys.ts";
import { Closer } from "./_life_cycle.ts";
import {
  define,
  factoriesOf,
  fits,
  instanceDefinition,
  ownDefinition,
  parametersOf,
} from "./_definitions.ts";
import { fitsProfiles, profilesOf } from "./profile.ts";
import type { ApplicationContext, Constructor, Type } from "./types.ts";

interface ContextOptions {
  readonly components: readonly Constructor[];
  readonly supplements?: readonly Type<unknown>[];
  readonly profiles?: readonly string[];
  readonly config: Config;
  /** Objects that are beans, by name, and end with the context. */
  readonly brought?: ReadonlyMap<string, object>;
  readonly overrides?: Iterable<readonly [bean: string | Type<unknown>, instance: unknown]>;
  /** How many seconds a bean may take to close; those after it are closed then. @default no limit */
  readonly destroySeconds?: number;
  /** Aborted when the beans are not wanted any more: those that are built are closed, and nothing is waited for. */
  readonly signal?: AbortSignal;
}

export interface ManagedContext extends ApplicationContext {
  readonly closer: Closer;
}

/**
 * Builds all beans: `@Bean` factories first, awaited, in order of need, then every other singleton. A bean's
 * `@PostConstruct` methods run when those of all that it was given are done. What was built is closed again when
 * one fails.
 *
 * @throws {DuplicateBeanError | NoSuchBeanError | NoUniqueBeanError | BeanCycleError | BeanCreationError}
 */
export async function createContext(options: ContextOptions): Promise<ManagedContext> {
  const { components, supplements = [], profiles = [], config } = options;
  const { brought = [], overrides = [], destroySeconds, signal } = options;
  const own = [
    instanceDefinition("config", config, "the configuration"),
    ...[...brought].map(([name, instance]) =>
      instanceDefinition(name, instance, "an extension", true)
    ),
  ];
  const definitions = define(components, own, supplements, profiles);
  const whyMissing = (wanted: Type<unknown> | string) => {
    return excludingProfile(wanted, [...components, ...supplements], profiles) ??
      missingExtensionHint(wanted);
  };
  for (const [bean, instance] of overrides) {
    const replaced = [...definitions.values()].filter((one) => fits(one, bean));
    for (const { name, type, primary } of replaced) {
      const definition = instanceDefinition(name, instance, "an override");
      // It stands for the type it replaces, also when it is a plain object.
      definitions.set(name, { ...definition, primary, type: type ?? definition.type });
    }
    if (replaced.length > 0) continue;
    const wanted = typeof bean === "string" ? `'${bean}'` : bean.name;
    const reason = whyMissing(bean);
    const hint = reason === undefined ? "" : `: ${reason}`;
    throw new TypeError(`Cannot override the bean ${wanted}: there is none${hint}`);
  }

  for (const { name, source } of definitions.values()) {
    const reason = source.kind === "class" && parametersOf(source.type);
    if (reason) throw new TypeError(`Cannot build the bean '${name}': ${reason}`);
  }
  signal?.throwIfAborted();
  const closer = new Closer(destroySeconds);
  const builder = new Builder(definitions, config, whyMissing, closer);
  try {
    await orAborted(builder.buildAll(), signal);
  } catch (error) {
    // After a failure some may still be at work on what is going to be closed.
    if (!signal?.aborted) await Promise.allSettled(builder.pending());
    await closer.close().catch(() => {}); // The first error is the cause.
    throw error;
  }
  return {
    get: <T>(type: Type<T>) => builder.root.resolve(type) as T,
    getByName: (name) => builder.root.resolve(name),
    has: (nameOrType) => builder.candidates(nameOrType).length > 0,
    beans: definitions,
    closer,
    close: () => closer.close(),
  };
}

function excludingProfile(
  wanted: Type<unknown> | string,
  components: readonly Type<unknown>[],
  active: readonly string[],
): string | undefined {
  const reason = (place: string, type: Type<unknown>, method?: string) => {
    if (fitsProfiles(type, active, method)) return undefined;
    const names = profilesOf(type, method).flat().map((profile) => `"${profile}"`).join(", ");
    return `${place} has @Profile(${names}), and active are: ${active.join(", ") || "none"}`;
  };
  const own = typeof wanted === "string" ? undefined : reason(wanted.name, wanted);
  return own ?? components.flatMap((component) => {
    const fitting = [ownDefinition(component), ...factoriesOf(component)]
      .filter((one) => fits(one, wanted));
    return fitting.map(({ place, source }) => {
      const method = source.kind === "factory" ? source.method : undefined;
      return reason(component.name, component) ?? reason(place, component, method);
    });
  }).find((found) => found !== undefined);
}
