/**
 * Deep equality as `@std/assert` has it: values without identity count, a key that is `undefined` is not a key that
 * is absent, `0` equals `-0`, and instances of different classes differ.
 */
export function equal(a: unknown, b: unknown): boolean {
  return compare(a, b, new Map());
}

/** `open` holds the pairs that are being compared, so that cycles end. */
function compare(a: unknown, b: unknown, open: Map<object, object>): boolean {
  if (a === b || Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b)) return false;
  if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime());
  const prototype = prototypeOf(a);
  if (prototype !== prototypeOf(b)) return false;
  if (prototype !== null && TEXTUAL.includes(prototype)) return String(a) === String(b);
  if (a instanceof ArrayBuffer) return sameBytes(new Uint8Array(a), new Uint8Array(b as never));
  if (isTypedArray(a)) return sameBytes(a, b as typeof a);
  if (open.get(a) === b) return true;
  if (Object.keys(a).length !== Object.keys(b).length) return false;
  open.set(a, b);
  if (a instanceof Map) return sameEntries([...a], [...b as typeof a], open);
  if (a instanceof Set) return sameEntries([...a.entries()], [...(b as typeof a).entries()], open);
  return [...new Set([...keysOf(a), ...keysOf(b)])].every((key) =>
    key in a && key in b && compare(Reflect.get(a, key), Reflect.get(b, key), open)
  );
}

/** Classes whose instances are equal when they print the same. */
const TEXTUAL: object[] = [RegExp, URL, URLSearchParams, Intl.Locale].map((type) => type.prototype);

/** An object without prototype counts as plain. */
function prototypeOf(value: object): object | null {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === Object.prototype ? null : prototype;
}

function isTypedArray(value: object): value is ArrayLike<unknown> {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

function sameBytes(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  return a.length === b.length && Array.from(a).every((item, index) => {
    return item === b[index] || Object.is(item, b[index]);
  });
}

function sameEntries(
  a: readonly [unknown, unknown][],
  b: readonly [unknown, unknown][],
  open: Map<object, object>,
): boolean {
  return a.length === b.length &&
    a.every(([key, value]) =>
      b.some(([otherKey, otherValue]) =>
        compare(key, otherKey, open) && compare(value, otherValue, open)
      )
    );
}

/** Own keys; of an instance also those of its classes, where its accessors are. */
function keysOf(value: object): PropertyKey[] {
  const keys = Reflect.ownKeys(value);
  const prototype = prototypeOf(value);
  if (prototype === null || prototype === Array.prototype) {
    return keys.filter((key) => Object.prototype.propertyIsEnumerable.call(value, key));
  }
  return [...keys, ...keysOf(prototype), ...Reflect.ownKeys(prototype)];
}

/** What `actual` has of the shape of `expected`, with instances as plain objects. */
export function subset(actual: unknown, expected: unknown): unknown {
  if (!isObject(actual) || !isObject(expected)) return actual;
  if (actual instanceof Date || actual instanceof RegExp) return actual;
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return actual.slice(0, expected.length).map((item, index) => subset(item, expected[index]));
  }
  if (actual instanceof Map && expected instanceof Map) {
    const common = [...actual].filter(([key]) => expected.has(key));
    return new Map(common.map(([key, value]) => [key, subset(value, expected.get(key))]));
  }
  if (actual instanceof Set && expected instanceof Set) return actual.intersection(expected);
  const keys = Reflect.ownKeys(actual);
  const common = keys.filter((key) => Object.hasOwn(expected, key));
  const strangers = common.length === 0 && Reflect.ownKeys(expected).length > 0;
  return Object.fromEntries((strangers ? keys : common).map((key) => {
    const value: unknown = Reflect.get(actual, key);
    return [key, strangers ? value : subset(value, Reflect.get(expected, key))];
  }));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
