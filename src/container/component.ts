import { type ComponentDeclaration, COMPONENTS } from "./_keys.ts";
import { addMetadata, ownMetadata, standardOnly } from "./metadata.ts";
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
): <C extends new () => object>(type: C, context: ClassDecoratorContext<C>) => void {
  return stereotype("Component", name);
}

/** {@linkcode Component} for a class that holds business logic. */
export function Service(name?: string): ReturnType<typeof Component> {
  return stereotype("Service", name);
}

/** {@linkcode Component} for a class whose `@Bean` methods make beans. */
export function Configuration(): ReturnType<typeof Component> {
  return stereotype("Configuration");
}

/** Makes the class that is being decorated a bean; for decorators that are components too. */
export function defineComponent(
  context: ClassDecoratorContext,
  declaration: ComponentDeclaration,
): void {
  addMetadata(context, COMPONENTS, declaration);
}

/** Whether a value is a class that is declared as a bean; a subclass has to be declared itself. */
export function isComponent(value: unknown): value is Constructor {
  return typeof value === "function" && declarationOf(value as unknown as Type) !== undefined;
}

/** How a class is declared as a bean. */
export function declarationOf(type: Type<unknown>): ComponentDeclaration | undefined {
  return ownMetadata(type, COMPONENTS).at(-1);
}

function stereotype(decorator: string, name?: string): ReturnType<typeof Component> {
  return (...args) => {
    standardOnly(decorator, args);
    defineComponent(args[1], { name, stereotype: decorator });
  };
}
