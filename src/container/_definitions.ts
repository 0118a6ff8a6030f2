import { BEANS, type Mark, PRIMARIES, SCOPES } from "./_keys.ts";
import { type Destruction, typeOf } from "./_life_cycle.ts";
import { declarationOf } from "./component.ts";
import { DuplicateBeanError, KEEP_NAMES } from "./errors.ts";
import { allMetadata, type MetadataKey, ownMetadata } from "./metadata.ts";
import { fitsProfiles } from "./profile.ts";
import type { BeanInfo, Constructor, Type } from "./types.ts";

export interface Definition extends BeanInfo {
  readonly primary: boolean;
  readonly source:
    | { readonly kind: "class"; readonly type: Constructor }
    | Destruction & { readonly kind: "factory"; readonly owner: string; readonly method: string }
    | { readonly kind: "instance"; readonly instance: unknown; readonly isOwn: boolean };
}

/** The definitions of the classes and their `@Bean` methods. @throws {TypeError | DuplicateBeanError} */
export function define(
  components: readonly Constructor[],
  given: readonly Definition[],
  supplements: readonly Type<unknown>[],
  profiles: readonly string[],
): Map<string, Definition> {
  const definitions = new Map<string, Definition>();
  const add = (definition: Definition) => {
    const other = definitions.get(definition.name);
    if (other) {
      const places = [other.place, definition.place] as const;
      const areDerived = [other, definition].every(({ source }) =>
        source.kind === "class" && declarationOf(source.type)?.name === undefined
      );
      throw new DuplicateBeanError(definition.name, places, areDerived);
    }
    definitions.set(definition.name, definition);
  };
  given.forEach(add);
  const defineClass = (type: Constructor) => {
    if (!fitsProfiles(type, profiles)) return;
    // Middleware classes of a factory have none.
    if (beanName(type) === "" && (declarationOf(type) || definitions.has(""))) {
      throw new TypeError(
        `Cannot register a class without a name: name the class or its bean, as in @Service("users"), or ${KEEP_NAMES}`,
      );
    }
    add(ownDefinition(type));
    factoriesOf(type, (method) => fitsProfiles(type, profiles, method)).forEach(add);
  };
  for (const type of new Set(components)) {
    requireComponent(type);
    defineClass(type);
  }
  for (const type of supplements) {
    const isThere = [...definitions.values()].some((one) => fits(one, type));
    // A class with arguments can only come from a factory, whose class is unknown before it runs.
    if (!isThere && type.length === 0) defineClass(type as Constructor);
  }
  return definitions;
}

export function instanceDefinition(
  name: string,
  instance: unknown,
  place: string,
  isOwn = false,
): Definition {
  return {
    name,
    type: typeOf(instance),
    scope: "singleton",
    place,
    primary: false,
    source: { kind: "instance", instance, isOwn },
  };
}

/** The declared name, else that of the class with a small first letter unless two are capitals (JavaBeans). */
export function beanName(type: Type<unknown>): string {
  const { name } = type;
  const declared = declarationOf(type)?.name;
  if (declared !== undefined || /^\p{Lu}{2}/u.test(name)) return declared ?? name;
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Whether a bean has a name, or is declared with a class or one that extends it. */
export function fits(
  { name, type }: Pick<BeanInfo, "name" | "type">,
  wanted: Type<unknown> | string,
): boolean {
  if (typeof wanted === "string") return name === wanted;
  return type === wanted || type?.prototype instanceof wanted;
}

/** @throws {TypeError} if it is not a class with a stereotype */
export function requireComponent(type: Constructor): void {
  if (type && declarationOf(type)) return;
  const expected = "a class with @Component(), @Service(), @RestController() or the like";
  const hint = type === undefined ? CIRCULAR : "";
  throw new TypeError(
    `Cannot register '${type?.name ?? typeof type}': expected ${expected}${hint}`,
  );
}

/** Why a class may be `undefined`. */
export const CIRCULAR = "; modules that import each other may not have defined it yet";

/**
 * Why the container cannot call the constructor of a class; `undefined` where it can. The length of a class does not
 * count the parameters of its parent, which may be optional, as those of `EventEmitter`.
 */
export function parametersOf(type: Type<unknown>): string | undefined {
  if (type.length === 0) return undefined;
  return `the constructor of '${type.name}' has parameters without a default; ` +
    "write users = inject(UserService), or clock: Clock | undefined = undefined";
}

export function ownDefinition(type: Type<unknown>): Definition {
  return {
    name: beanName(type),
    type,
    place: type.name,
    scope: markOf(ownMetadata(type, SCOPES), undefined) ?? "singleton",
    primary: markOf(ownMetadata(type, PRIMARIES), undefined) ?? false,
    source: { kind: "class", type: type as Constructor },
  };
}

export function factoriesOf(
  type: Type<unknown>,
  isThere: (method: string) => boolean = () => true,
): Definition[] {
  const owner = beanName(type);
  const marks = <T>(key: MetadataKey<Mark<T>>, method: string) =>
    markOf(allMetadata(type, key), method);
  return [...new Map(allMetadata(type, BEANS).map((bean) => [bean.method, bean])).values()]
    .filter(({ method }) => isThere(method))
    .map(({ method, name, type: declared, destroy }) => ({
      name,
      type: declared,
      place: `${type.name}.${method}()`,
      scope: marks(SCOPES, method) ?? "singleton",
      primary: marks(PRIMARIES, method) ?? false,
      source: { kind: "factory", owner, method, destroy },
    }));
}

function markOf<T>(marks: readonly Mark<T>[], member: string | undefined): T | undefined {
  return marks.findLast((mark) => mark.member === member)?.value;
}
