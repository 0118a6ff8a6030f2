import {
  BEANS,
  type Mark,
  ON_READY,
  POST_CONSTRUCT,
  PRE_DESTROY,
  PRIMARIES,
  QUALIFIERS,
  SCOPES,
} from "./_keys.ts";
import type { ValueOf, ValueType } from "../schema/mod.ts";
import { injectQualified, injectValue } from "./inject.ts";
import {
  addedMetadata,
  addMetadata,
  type ClassContext,
  decorator,
  type FieldContext,
  type MetadataKey,
  type MethodContext,
  misapplied,
} from "./metadata.ts";
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
  context: FieldContext<This, Field>,
) => (this: This) => T;
/** Fills a field of any type with the bean of a name: the compiler cannot know what that is. */
export function Autowired(name: string): ReturnType<typeof Value>;
export function Autowired<T>(
  target: InjectionTarget<T>,
): (value: undefined, context: FieldContext) => () => T {
  const isEmpty = arguments.length === 0;
  return decorator("Autowired", arguments, (context) => {
    ofInstances("Autowired", context);
    if (isEmpty) {
      const reason = "types are not known at run time; name the class, @Autowired(UserService)";
      throw misapplied("Autowired", context, reason);
    }
    return () => {
      const marks = addedMetadata(context, QUALIFIERS);
      return injectQualified(target, marks.find(({ member }) => member === context.name)?.value);
    };
  }, "UserService");
}

/** With `@Autowired(Type)`: of several beans of the type, the one of this name. */
export function Qualifier(name: string): (value: undefined, context: FieldContext) => void {
  return decorator("Qualifier", arguments, (context) => {
    addMetadata(context, QUALIFIERS, { member: context.name, value: name });
  }, '"name"');
}

/**
 * Fills a field from the configuration.
 *
 * ```ts ignore
 * @Value("${users.page-size:20}", "int") private readonly pageSize!: number;
 * ```
 *
 * Placeholders are those of the configuration: `${NAME}` and `${NAME:default}` take the environment variable, else the
 * key, else the default, which may hold placeholders; `$${` stands for `${` itself. A key that is missing and has no
 * default is an error that names the field.
 *
 * @param type what the value is converted to, as `RequestParam` does: a word such as `"int"`, the texts that are allowed,
 * or a schema, which is given what is configured. What does not fit is an error that names file, line, key and field
 */
export function Value<const T extends ValueType>(
  expression: string,
  type: T,
): <This, Field>(
  value: undefined,
  context: FieldContext<This, Field>,
) => (this: This) => ValueOf<T>;
/**
 * Without a type, a single placeholder gives the configured value with the one that it has; a default that reads as a
 * number or a boolean is one. Anything around placeholders makes a text.
 */
export function Value(
  expression: string,
): <This, T>(
  value: undefined,
  context: FieldContext<This, T>,
) => (this: This) => T;
export function Value(
  expression: string,
  type?: ValueType,
): (value: undefined, context: FieldContext) => (this: unknown) => never {
  return decorator("Value", arguments, (context: FieldContext) => {
    ofInstances("Value", context);
    return function (this: unknown) {
      const place = `${(this as object).constructor.name}.${String(context.name)}`;
      return injectValue(expression, place, type) as never;
    };
  });
}

/** @internal */
interface BeanOptions {
  /** The class of what the method gives: how others find it by type before the method ran. */
  readonly type?: Type<unknown>;
  /**
   * The method that is called without arguments when the application closes, `false` for none.
   *
   * @default the first that there is of `[Symbol.asyncDispose]`, `[Symbol.dispose]`, `close` and `end`, unless it takes
   * arguments
   */
  readonly destroy?: string | false;
}

/** @internal */
type BeanOf<O> = O extends { readonly destroy: infer D extends string }
  ? { readonly [M in D]: () => unknown } | Promise<{ readonly [M in D]: () => unknown }>
  : unknown;

/**
 * Makes what a method of a `@Configuration` class gives a bean, named after the method. The method may be async, and is
 * called once for the bean, except that it starts again when `inject()` asks for another factory's bean before that is
 * there: call `inject()` first. Other beans are asked for with `inject()` too, as calling the method makes a second
 * object. The bean is closed with the application, unless it has `@PreDestroy` methods of its own.
 *
 * ```ts ignore
 * @Bean({ destroy: "end" })
 * pool() { return new Pool(); }
 * ```
 *
 * @param options `type` of what the method gives, `destroy` that closes it
 */
export function Bean<const O extends BeanOptions = Record<never, never>>(
  options?: O,
): (method: () => BeanOf<O>, context: MethodContext) => void;
/** With a name for the bean. */
export function Bean<const O extends BeanOptions = Record<never, never>>(
  name: string | undefined,
  options?: O,
): (method: () => BeanOf<O>, context: MethodContext) => void;
export function Bean(
  given: string | BeanOptions = {},
  more: BeanOptions = {},
): (method: () => unknown, context: MethodContext) => void {
  const [name, options] = typeof given === "string"
    ? [given, more]
    : [undefined, { ...given, ...more }];
  return decorator("Bean", arguments, (context, target) => {
    const method = publicMethod("Bean", target, context);
    addMetadata(context, BEANS, { method, name: name ?? method, ...options });
  });
}

/** Marks the default one among several beans of a type. */
export function Primary(): (target: unknown, context: ClassContext | MethodContext) => void {
  return mark("Primary", PRIMARIES, true, arguments);
}

/** `prototype` builds a new object for everyone who asks; such objects are not closed by the container. */
export function Scope(scope: "singleton" | "prototype"): ReturnType<typeof Primary> {
  // Scripts are not told by the compiler.
  if (!["singleton", "prototype"].includes(scope)) {
    throw new TypeError(
      `Cannot use @Scope("${scope}"): expected "singleton" or "prototype"; for the current request, call currentRequest()`,
    );
  }
  return mark("Scope", SCOPES, scope, arguments);
}

/**
 * Calls a method when its bean is built, after those of the beans that it was given. A promise is awaited before the
 * beans that need this one are initialised, and before the application starts.
 */
export function PostConstruct(): (
  method: () => void | PromiseLike<void>,
  context: MethodContext,
) => void {
  return lifecycle("PostConstruct", POST_CONSTRUCT, arguments);
}

/**
 * Calls a method when the application accepts requests, under `listen()`: in order of creation, one after another, each
 * promise awaited before `listen()` is. One that fails ends the application, and `listen()` fails with it.
 */
export function OnReady(): ReturnType<typeof PostConstruct> {
  return lifecycle("OnReady", ON_READY, arguments);
}

/** Calls a method when the application closes, in reverse order of creation. */
export function PreDestroy(): ReturnType<typeof PostConstruct> {
  return lifecycle("PreDestroy", PRE_DESTROY, arguments);
}

function mark<T>(
  name: string,
  key: MetadataKey<Mark<T>>,
  value: T,
  given: IArguments,
): ReturnType<typeof Primary> {
  return decorator(name, given, (context) => {
    const member = context.kind === "method" ? context.name : undefined;
    addMetadata(context, key, { member, value });
  });
}

function lifecycle(
  name: string,
  key: MetadataKey<string>,
  given: IArguments,
): ReturnType<typeof PostConstruct> {
  return decorator(name, given, (context, method) => {
    addMetadata(context, key, publicMethod(name, method, context));
  });
}

/** The name of a method that the container can call. @throws {TypeError} */
function publicMethod(
  decorator: string,
  method: (...given: never[]) => unknown,
  context: MethodContext,
): string {
  ofInstances(decorator, context);
  if (method.length > 0) {
    const reason =
      "the container calls it without arguments; remove its parameters, and inject beans into " +
      "fields, as in service = inject(Service)";
    throw misapplied(decorator, context, reason);
  }
  if (typeof context.name === "string" && !context.private) return context.name;
  throw misapplied(decorator, context, "expected a public method with a name");
}

/** @throws {TypeError} for static members: beans are objects */
function ofInstances(decorator: string, context: FieldContext | MethodContext): void {
  if (context.static) throw misapplied(decorator, context, "expected an instance member");
}
