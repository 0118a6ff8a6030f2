import { type MetadataKey, metadataKey } from "./metadata.ts";
import type { Type } from "./types.ts";

const bringers = new WeakMap<Type<unknown>, string>();

export function broughtBy(type: Type<unknown>, bringer: string): void {
  bringers.set(type, bringer);
}

export function missingExtensionHint(wanted: Type<unknown> | string): string | undefined {
  const bringer = typeof wanted === "string" ? undefined : bringers.get(wanted);
  return bringer &&
    `it comes with ${bringer}, which is not among the extensions of this application`;
}

export interface ComponentDeclaration {
  /** The name of the bean; the class's name with a lower-case first letter when left out. */
  readonly name?: string;
  readonly stereotype: string;
}

export interface BeanMethod {
  readonly method: string;
  readonly name: string;
  readonly type?: Type<unknown>;
  /** The method that closes it; `false` for none, found by its name when left out. */
  readonly destroy?: string | false;
}

export interface Mark<T> {
  readonly member?: string | symbol;
  readonly value: T;
}

export const COMPONENTS: MetadataKey<ComponentDeclaration> = metadataKey("component");
export const BEANS: MetadataKey<BeanMethod> = metadataKey("bean");
export const PRIMARIES: MetadataKey<Mark<true>> = metadataKey("primary");
export const SCOPES: MetadataKey<Mark<"singleton" | "prototype">> = metadataKey("scope");
/** Expressions of one `@Profile`, of which one has to fit. */
export const PROFILES: MetadataKey<Mark<readonly string[]>> = metadataKey("profiles");
export const QUALIFIERS: MetadataKey<Mark<string>> = metadataKey("qualifier");
export type Initializer = (this: unknown) => void;

/** Run when the constructor has run; the syntax runs them in it. */
export const INITIALIZERS: MetadataKey<Initializer> = metadataKey("construct");
export const POST_CONSTRUCT: MetadataKey<string> = metadataKey("postConstruct");
export const PRE_DESTROY: MetadataKey<string> = metadataKey("preDestroy");
export const ON_READY: MetadataKey<string> = metadataKey("onReady");
