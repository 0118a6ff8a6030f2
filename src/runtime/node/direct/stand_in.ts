/**
 * Lets the objects of a class stand for those of another one: they are instances of it, and whatever they do not have
 * themselves is asked of an object that is made when that happens first.
 *
 * @param make gives that object, always the same
 */
export function standIn<T extends object>(
  type: { readonly prototype: T },
  original: { readonly prototype: object },
  make: (self: T) => object,
): void {
  const { prototype } = type;
  if (Object.getPrototypeOf(prototype) === original.prototype) return;
  for (const [key, { value }] of membersOf(original.prototype)) {
    if (Object.hasOwn(prototype, key)) continue;
    const ask = (self: T) => Reflect.get(make(self), key);
    Object.defineProperty(
      prototype,
      key,
      typeof value === "function"
        ? {
          value(this: T, ...parameters: unknown[]): unknown {
            return ask(this).apply(make(this), parameters);
          },
        }
        : {
          get(this: T): unknown {
            return ask(this);
          },
        },
    );
  }
  Object.setPrototypeOf(prototype, original.prototype);
}

function membersOf(prototype: object): Map<PropertyKey, PropertyDescriptor> {
  const members = new Map<PropertyKey, PropertyDescriptor>();
  for (
    let owner: object | null = prototype;
    owner !== null && owner !== Object.prototype;
    owner = Object.getPrototypeOf(owner)
  ) {
    for (const key of Reflect.ownKeys(owner)) {
      const descriptor = Object.getOwnPropertyDescriptor(owner, key);
      if (descriptor && !members.has(key) && key !== "constructor" && key !== Symbol.toStringTag) {
        members.set(key, descriptor);
      }
    }
  }
  return members;
}
