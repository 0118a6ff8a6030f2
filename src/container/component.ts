import { type ComponentDeclaration, COMPONENTS } from "./_keys.ts";
import {
  addMetadata,
  type ClassContext,
  decorator,
  type MetadataKey,
  misapplied,
  ownMetadata,
} from "./metadata.ts";
import type { Constructor, Type } from "./types.ts";

/**
 * Makes a class a bean.
 *
 * Abstract classes do not compile.
 *
 * @param name of the bean; the class's name with a lower-case first letter when left out
 */
export function Component(
  name?: string,
): <C extends new () => object>(type: C, context: ClassContext<C>) => void {
  return stereotype("Component", arguments, name);
}

/** {@linkcode Component} for a class that holds business logic. */
export function Service(name?: string): ReturnType<typeof Component> {
  return stereotype("Service", arguments, name);
}

/** {@linkcode Component} for a class whose `@Bean` methods make beans. */
export function Configuration(name?: string): ReturnType<typeof Component> {
  return stereotype("Configuration", arguments, name);
}

/** The decorator of classes of beans; those of controllers and advices have a key of their own. */
export function stereotype(
  stereotype: string,
  given: IArguments,
  name: string | undefined,
  key?: MetadataKey<true>,
): ReturnType<typeof Component> {
  return decorator(stereotype, given, (context: ClassContext) => {
    // A path is none, nor are the options of NestJS.
    if (name !== undefined && (typeof name !== "string" || !/^[^/]/.test(name))) {
      const expected = "expected the name of a bean as a string";
      const advice = 'for a path write @RequestMapping("/path")';
      throw misapplied(stereotype, context, `${expected}; ${advice}`);
    }
    addMetadata(context, COMPONENTS, { name, stereotype });
    if (key) addMetadata(context, key, true);
  });
}

export function isComponent(value: unknown): value is Constructor {
  return typeof value === "function" && declarationOf(value as unknown as Type) !== undefined;
}

export function declarationOf(type: Type<unknown>): ComponentDeclaration | undefined {
  return ownMetadata(type, COMPONENTS).at(-1);
}
