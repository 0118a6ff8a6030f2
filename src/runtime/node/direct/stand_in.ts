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
  let owner: object = original.prototype;
  for (; owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const key of Reflect.ownKeys(owner)) {
      if (key === Symbol.toStringTag || Object.hasOwn(prototype, key)) continue;
      const call = function (this: T, ...parameters: unknown[]): unknown {
        const object = make(this);
        return Reflect.get(object, key).apply(object, parameters);
      };
      const get = function (this: T): unknown {
        return Reflect.get(make(this), key);
      };
      const isMethod = typeof Object.getOwnPropertyDescriptor(owner, key)?.value === "function";
      Object.defineProperty(prototype, key, isMethod ? { value: call } : { get });
    }
  }
  Object.setPrototypeOf(prototype, original.prototype);
}
