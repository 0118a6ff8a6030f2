import { type ComponentDeclaration, COMPONENTS } from "./_keys.ts";
import {
  addMetadata,
  type ClassContext,
  misapplied,
  ownMetadata,
  requireCall,
  standardOnly,
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
  requireCall("Component", arguments);
  return stereotype("Component", name);
}

/** {@linkcode Component} for a class that holds business logic. */
export function Service(name?: string): ReturnType<typeof Component> {
  requireCall("Service", arguments);
  return stereotype("Service", name);
}

/** {@linkcode Component} for a class whose `@Bean` methods make beans. */
export function Configuration(name?: string): ReturnType<typeof Component> {
  requireCall("Configuration", arguments);
  return stereotype("Configuration", name);
}

export function defineComponent(
  context: ClassContext,
  declaration: ComponentDeclaration,
): void {
  const { name, stereotype } = declaration;
  // A path is none, nor are the options of NestJS.
  if (name !== undefined && (typeof name !== "string" || !/^[^/]/.test(name))) {
    const expected = "expected the name of a bean as a string";
    throw misapplied(stereotype, context, `${expected}; for a path write @RequestMapping("/path")`);
  }
  addMetadata(context, COMPONENTS, declaration);
}

export function isComponent(value: unknown): value is Constructor {
  return typeof value === "function" && declarationOf(value as unknown as Type) !== undefined;
}

export function declarationOf(type: Type<unknown>): ComponentDeclaration | undefined {
  return ownMetadata(type, COMPONENTS).at(-1);
}

function stereotype(decorator: string, name?: string): ReturnType<typeof Component> {
  return (...args) => {
    standardOnly(decorator, args);
    defineComponent(args[1], { name, stereotype: decorator });
  };
}
