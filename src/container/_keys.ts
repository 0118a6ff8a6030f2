import { MetadataKey } from "./metadata.ts";
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

export const COMPONENTS: MetadataKey<ComponentDeclaration> = new MetadataKey("component");
export const BEANS: MetadataKey<BeanMethod> = new MetadataKey("bean");
export const PRIMARIES: MetadataKey<Mark<true>> = new MetadataKey("primary");
export const SCOPES: MetadataKey<Mark<"singleton" | "prototype">> = new MetadataKey("scope");
/** Expressions of one `@Profile`, of which one has to fit. */
export const PROFILES: MetadataKey<Mark<readonly string[]>> = new MetadataKey("profiles");
export const QUALIFIERS: MetadataKey<Mark<string>> = new MetadataKey("qualifier");
export type Initializer = (this: unknown) => void;

/** Run when the constructor has run; the syntax runs them in it. */
export const INITIALIZERS: MetadataKey<Initializer> = new MetadataKey("construct");
export const POST_CONSTRUCT: MetadataKey<string> = new MetadataKey("postConstruct");
export const PRE_DESTROY: MetadataKey<string> = new MetadataKey("preDestroy");
export const ON_READY: MetadataKey<string> = new MetadataKey("onReady");
