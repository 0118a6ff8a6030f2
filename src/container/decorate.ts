import { CIRCULAR } from "./_definitions.ts";
import { type Initializer, INITIALIZERS } from "./_keys.ts";
import { addMetadata, type AnyClass, type ClassContext, type MethodContext } from "./metadata.ts";

/**
 * Applies decorators to a class without decorator syntax, for compilers and runtimes that do not support it.
 *
 * ```ts ignore
 * export class UserController {
 *   users = inject(UserService);
 *   get(id: number) { return this.users.get(id); }
 * }
 * decorate({ UserController }, {
 *   get: [GetMapping("/users/{id}", PathVariable("id", "int"))],
 * }, RestController());
 * ```
 *
 * It does what the syntax does: decorators run from the last to the first, those of methods before those of the class; a
 * method that a decorator returns replaces the one of the class. Fields are set by `inject()`.
 *
 * @param type the class, or `{ UserController }`, which keeps its name where a bundler shortens it
 * @param methods the decorators of each public method
 * @param decorators the decorators of the class
 * @returns the class, or what a decorator of the class has returned
 * @throws {TypeError} when a name is not that of a public method of the class itself, or a value is not a decorator
 */
export function decorate<C extends AnyClass>(
  type: C | Readonly<Record<string, C>>,
  methods: PublicMethods<InstanceType<C>>,
  ...decorators: readonly ((type: C, context: ClassContext<C>) => void | C)[]
): C {
  const named = classIn(type);
  // The syntax lets it inherit from that of the class's parent, too.
  const metadata: DecoratorMetadata = Object.hasOwn(named, Symbol.metadata)
    ? named[Symbol.metadata]!
    : Object.create(named[Symbol.metadata] ?? null);
  const instanceInitializers: Initializer[] = [];
  if (typeof methods !== "object" || methods === null) {
    throw new TypeError(
      `Cannot decorate '${named.name}': expected an object with the decorators of its methods as the second argument, {} for none`,
    );
  }
  const lists = methods as Readonly<Record<string | symbol, readonly Decorator[]>>;
  for (const name of Reflect.ownKeys(methods)) {
    const access = {
      has: (object: object) => name in object,
      get: (object: unknown) => (object as Record<string | symbol, () => unknown>)[name]!,
    };
    const addInitializer = (one: Initializer) => void instanceInitializers.push(one);
    const about = { static: false, private: false, access, metadata, addInitializer } as const;
    decorateMethod(named, lists[name]!, { kind: "method", name, ...about });
  }
  for (const one of instanceInitializers) addMetadata({ metadata }, INITIALIZERS, one);
  const classInitializers: Initializer[] = [];
  const addInitializer = (one: Initializer) => void classInitializers.push(one);
  const context = { kind: "class", name: named.name, metadata, addInitializer };
  const all = decorators as readonly Decorator[];
  const decorated = applyAll(named, all, context, `'${named.name}'`) as C;
  if (decorated !== named) Reflect.deleteProperty(named, Symbol.metadata);
  const property = { value: metadata, configurable: true, writable: true };
  Object.defineProperty(decorated, Symbol.metadata, property);
  for (const initialize of classInitializers) initialize.call(decorated);
  return decorated;
}

/**
 * Decorators of each public method. The symbol refuses functions, and unknown names for a class without methods.
 *
 * @internal
 */
type PublicMethods<T> =
  & { readonly [Symbol.hasInstance]?: never }
  & {
    readonly [K in keyof T as T[K] extends AnyMethod ? K : never]?: readonly MethodDecorator<
      T,
      Extract<T[K], AnyMethod>
    >[];
  };

/**
 * A decorator of a method. It may return `V`, and so no other type: the mappings report by their return type what `returns`
 * does not accept, which `void` alone would allow.
 *
 * @internal
 */
type MethodDecorator<T, V extends AnyMethod> = (value: V, context: MethodContext<T, V>) => void | V;

/** @internal */
// deno-lint-ignore no-explicit-any -- as the context of the proposal has it
type AnyMethod = (...parameters: any) => any;

type Decorator = (target: unknown, context: unknown) => unknown;

/** `{ UserController }` names the class: bundlers keep the names of properties. @throws {TypeError} */
function classIn<C extends AnyClass>(type: C | Readonly<Record<string, C>>): C {
  const [entry, ...others] = typeof type === "function"
    ? [["", type] as const]
    : Object.entries(type ?? {});
  const [name, found] = entry ?? [];
  const refuse = (place: unknown, reason: string): never => {
    throw new TypeError(`Cannot decorate '${place === "" ? "class" : place}': ${reason}`);
  };
  if (typeof found !== "function" || !Object.hasOwn(found, "prototype") || others.length > 0) {
    const hint = found === undefined ? CIRCULAR : "";
    return refuse(name || type, `expected a class, or { UserController } with one class${hint}`);
  }
  if (typeof found.name !== "string") {
    return refuse(name, "expected a class without a static member 'name', which hides its name");
  }
  if (Object.isFrozen(found)) {
    return refuse(name || found.name, "expected a class that is not frozen: freeze it afterwards");
  }
  return name ? Object.defineProperty(found, "name", { value: name, configurable: true }) : found;
}

/** @throws {TypeError} unless it is a public method of the class itself */
function decorateMethod(
  { name, prototype }: AnyClass,
  decorators: readonly Decorator[],
  context: MethodContext,
): void {
  const place = `'${String(context.name)}' of '${name}'`;
  const method = Object.getOwnPropertyDescriptor(prototype, context.name)?.value;
  if (typeof method !== "function" || context.name === "constructor") {
    const hint = Object.hasOwn(prototype, context.name)
      ? "getters, setters, accessors and the constructor cannot be decorated"
      : context.name in prototype
      ? `declare it in '${name}'`
      : "static and private (#name) methods cannot be decorated, and fields are set by users = inject(UserService)";
    throw new TypeError(
      `Cannot decorate ${place}: expected a public method of the class itself; ${hint}`,
    );
  }
  const value = applyAll(method, decorators, context, place);
  if (value !== method) Object.defineProperty(prototype, context.name, { value });
}

/** From the last to the first, each with what the one before has returned. @throws {TypeError} */
function applyAll(
  target: unknown,
  decorators: readonly Decorator[],
  context: unknown,
  place: string,
): unknown {
  const fail = (expected: string, found: unknown): never => {
    throw new TypeError(`Cannot decorate ${place}: expected ${expected}, found ${typeof found}`);
  };
  if (!Array.isArray(decorators)) return fail("a list of decorators", decorators);
  return decorators.toReversed().reduce((value, decorator) => {
    if (typeof decorator !== "function") {
      return fail("a decorator such as RestController()", decorator);
    }
    const result = decorator(value, context);
    if (result === undefined || typeof result === "function") return result ?? value;
    return fail("a decorator that returns a function or nothing", result);
  }, target);
}
