import {
  BEANS,
  type Mark,
  POST_CONSTRUCT,
  PRE_DESTROY,
  PRIMARIES,
  QUALIFIERS,
  SCOPES,
} from "./_keys.ts";
import { injectQualified, injectValue } from "./inject.ts";
import { addedMetadata, addMetadata, type MetadataKey, standardOnly } from "./metadata.ts";
import type { InjectionTarget, Type } from "./types.ts";

/**
 * Fills a field with a bean while its object is built, private fields too; the compiler compares the class
 * with the field's type.
 *
 * @param target a class, an arrow function that gives a class declared later, or the name of a bean
 */
export function Autowired<T>(
  target: Type<T> | (() => Type<T>),
): <This, Field>(
  value: undefined,
  context: ClassFieldDecoratorContext<This, Field>,
) => (this: This) => T;
/** Fills a field of any type with the bean of a name: the compiler cannot know what that is. */
export function Autowired(name: string): ReturnType<typeof Value>;
export function Autowired<T>(
  target: InjectionTarget<T>,
): (value: undefined, context: ClassFieldDecoratorContext) => () => T {
  return (...args) => {
    standardOnly("Autowired", args);
    const context = args[1];
    ofInstances("Autowired", context);
    return () => {
      const marks = addedMetadata(context, QUALIFIERS);
      const qualifier = marks.find(({ member }) => member === context.name)?.value;
      return injectQualified(target, qualifier);
    };
  };
}

/** With `@Autowired(Type)`: of several beans of the type, the one of this name. */
export function Qualifier(
  name: string,
): (value: undefined, context: ClassFieldDecoratorContext) => void {
  return (...args) => {
    standardOnly("Qualifier", args);
    addMetadata(args[1], QUALIFIERS, { member: args[1].name, value: name });
  };
}

/**
 * Fills a field from the configuration.
 *
 * ```ts ignore
 * @Value("${users.page-size:20}") private readonly pageSize!: number;
 * ```
 *
 * A single placeholder gives the configured value with its type; a default that reads as a number or a boolean is
 * one. Anything around placeholders makes a text. A key that is missing and has no default is an error that names the
 * field.
 */
export function Value(
  expression: string,
): <This, T>(
  value: undefined,
  context: ClassFieldDecoratorContext<This, T>,
) => (this: This) => T {
  return <This, T>(...args: [undefined, ClassFieldDecoratorContext<This, T>]) => {
    standardOnly("Value", args);
    const { name } = args[1];
    ofInstances("Value", args[1]);
    return function (this: This) {
      const place = `${(this as object).constructor.name}.${String(name)}`;
      return injectValue(expression, place) as T;
    };
  };
}

/**
 * Makes what a method of a `@Configuration` class gives a bean. The method may be async, and is called once for the
 * bean, except that it starts again when `inject()` asks for another factory's bean before that is there: call
 * `inject()` first. Other beans are asked for with `inject()` too, as calling the method makes a second object.
 *
 * @param name of the bean; the method's name when left out
 * @param options as `type` the class of what the method gives: how others find it by type before the method ran
 */
export function Bean(
  name?: string,
  options: { readonly type?: Type<unknown> } = {},
): (method: () => unknown, context: ClassMethodDecoratorContext) => void {
  return (...args) => {
    standardOnly("Bean", args);
    const method = publicMethod("Bean", args[1]);
    addMetadata(args[1], BEANS, { method, name: name ?? method, ...options });
  };
}

/** Of several beans of a type, the one that is meant. */
export function Primary(): (
  target: unknown,
  context: ClassDecoratorContext | ClassMethodDecoratorContext,
) => void {
  return mark("Primary", PRIMARIES, true);
}

/** `prototype` builds a new object for everyone who asks; such objects are not closed by the container. */
export function Scope(scope: "singleton" | "prototype"): ReturnType<typeof Primary> {
  return mark("Scope", SCOPES, scope);
}

/**
 * Calls a method when its bean is built, after those of the beans that it was given. A promise is awaited before the
 * beans that need this one are initialised, and before the application starts.
 */
export function PostConstruct(): (
  method: () => void | Promise<void>,
  context: ClassMethodDecoratorContext,
) => void {
  return lifecycle("PostConstruct", POST_CONSTRUCT);
}

/** Calls a method when the application closes, in reverse order of creation. */
export function PreDestroy(): ReturnType<typeof PostConstruct> {
  return lifecycle("PreDestroy", PRE_DESTROY);
}

function mark<T>(
  decorator: string,
  key: MetadataKey<Mark<T>>,
  value: T,
): ReturnType<typeof Primary> {
  return (...args) => {
    standardOnly(decorator, args);
    const context = args[1];
    addMetadata(
      context,
      key,
      context.kind === "method" ? { member: context.name, value } : { value },
    );
  };
}

function lifecycle(
  decorator: string,
  key: MetadataKey<string>,
): ReturnType<typeof PostConstruct> {
  return (...args) => {
    standardOnly(decorator, args);
    addMetadata(args[1], key, publicMethod(decorator, args[1]));
  };
}

/** The name of a method that the container can call. @throws {TypeError} */
function publicMethod(decorator: string, context: ClassMethodDecoratorContext): string {
  ofInstances(decorator, context);
  if (typeof context.name === "string" && !context.private) return context.name;
  throw new TypeError(
    `Cannot apply @${decorator} to '${String(context.name)}': expected a public method with a name`,
  );
}

/** @throws {TypeError} for static members: beans are objects */
function ofInstances(
  decorator: string,
  context: ClassFieldDecoratorContext | ClassMethodDecoratorContext,
): void {
  if (!context.static) return;
  throw new TypeError(
    `Cannot apply @${decorator} to '${String(context.name)}': expected no static member`,
  );
}
