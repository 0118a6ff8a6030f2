import { allMetadata, type MetadataKey, ownMetadata, type Type } from "../../container/mod.ts";

/**
 * What a class and those that it extends declare of their methods, the oldest first. A subclass that declares an inherited
 * method again replaces the declaration of its base.
 */
export function effectiveDeclarations<T extends { readonly handler: string }>(
  type: Type<unknown>,
  key: MetadataKey<T>,
): readonly T[] {
  const own = ownMetadata(type, key);
  const all = allMetadata(type, key);
  if (own.length === all.length) return own;
  const redeclared = new Set(own.map(({ handler }) => handler));
  return [
    ...effectiveDeclarations(Object.getPrototypeOf(type), key).filter(({ handler }) =>
      !redeclared.has(handler)
    ),
    ...own,
  ];
}
