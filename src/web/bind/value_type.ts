export type { ModelClass, OutputOf, ScalarTypes, ValueOf, ValueType } from "../../schema/mod.ts";

/** @internal */
export type ValueOptions<V> =
  & {
    /** `false` gives `undefined` where the value is missing. @default true */
    readonly required?: boolean;
  }
  & ({
    /** `true` takes all values, and splits a single one of a query, header or cookie at its commas. @default false */
    readonly list?: false;
    /** Used if the value is missing or empty, which makes it optional. */
    readonly defaultValue?: V;
  } | {
    readonly list: true;
    readonly defaultValue?: readonly V[];
  });

/** @internal */
export type Bound<V, O> = O extends { readonly list: true } ? V[] | Absent<O> : V | Absent<O>;

/** @internal */
export type Absent<O> = O extends { readonly defaultValue: unknown } ? never
  : O extends { readonly required: false } ? undefined
  : never;
