/** How deep lists and objects may be nested: deeper values overflow the stack of recursive code. */
const MAX_DEPTH = 1000;

/** Omits `__proto__`, which would change prototypes when copied. @throws {SyntaxError} also above 1,000 levels */
export function parseJson(text: string): unknown {
  // Engines read any depth without their stack.
  const value: unknown = JSON.parse(text);
  // Each level takes two characters, and each underscore stands for itself or in an escape.
  if (text.length <= 2 * MAX_DEPTH && !/__proto__|\\u/.test(text)) return value;
  return isNested(value) && hasProto(value, MAX_DEPTH) ? withoutProto(value) : value;
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function hasProto(value: object, levels: number): boolean {
  if (levels === 0) throw new SyntaxError(`It is nested more than ${MAX_DEPTH} levels deep`);
  let found = false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (isNested(item) && hasProto(item, levels - 1)) found = true;
    }
    return found;
  }
  for (const key in value) {
    if (key === "__proto__") found = true;
    const inner = (value as Record<string, unknown>)[key];
    if (isNested(inner) && hasProto(inner, levels - 1)) found = true;
  }
  return found;
}

/** Not by a reviver, which costs many times what reading does; nor by `delete`, which makes objects slow. */
function withoutProto(value: unknown): unknown {
  if (!isNested(value)) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = withoutProto(value[index]);
    return value;
  }
  const source = value as Record<string, unknown>;
  const target = Object.hasOwn(source, "__proto__") ? {} as Record<string, unknown> : source;
  for (const key in source) {
    if (key === "__proto__") continue;
    const inner = withoutProto(source[key]);
    if (target !== source || inner !== source[key]) target[key] = inner;
  }
  return target;
}
