export function propertyName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

export function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ") || "never";
}

export function literals(values: readonly unknown[]): string {
  return union(values.map((value) => JSON.stringify(value)));
}

/** One type by several names, which spaces separate. */
export function each<T>(names: string, type: T): Readonly<Record<string, T>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, type]));
}
