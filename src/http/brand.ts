/**
 * Marks a class, so that `instanceof` knows the objects of other copies of this library: an application may have one
 * of its own beside that of a package it uses. What extends the class is known by its prototypes, as ever.
 *
 * @param name one for the class in all copies
 */
export function brand(type: { readonly prototype: object }, name: string): void {
  const mark = Symbol.for(`${OURS}${name}`);
  Object.defineProperty(type.prototype, mark, { value: true });
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this, value);
      return typeof value === "object" && value !== null && mark in value;
    },
  });
}

const OURS = "irori: ";

export function marksOf(prototype: object): readonly symbol[] {
  return Object.getOwnPropertySymbols(prototype).filter((symbol) => {
    return Symbol.keyFor(symbol)?.startsWith(OURS);
  });
}
