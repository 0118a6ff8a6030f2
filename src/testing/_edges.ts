import { LOWER, type SchemaForm } from "../openapi/schema_form.ts";

/** Values at the limits of a schema, and beyond them; whether they fit is for a validator to say. */
export function edgesOf(form: SchemaForm): readonly unknown[] {
  return [...numbers(form), ...texts(form), ...lists(form)];
}

/** Values of every type, of which most fit nothing. */
export const STRANGERS: readonly unknown[] = [null, "~", 1.5, true, [], {}, ["~"]];

function numbers({ types, limits }: SchemaForm): readonly number[] {
  if (!types.has("integer") && !types.has("fraction")) return [];
  const ends = [...limits].filter(([keyword]) => /imum$/i.test(keyword));
  return ends.flatMap(([keyword, limit]) => {
    const step = LOWER.includes(keyword) ? -1 : 1;
    return [limit, limit + step, limit - step].filter((one) =>
      Number.isSafeInteger(one) || !Number.isInteger(one)
    );
  });
}

function texts({ types, limits, values }: SchemaForm): readonly string[] {
  if (!types.has("string") || values) return [];
  const lengths = [limits.get("minLength"), limits.get("maxLength")].flatMap((length) =>
    length === undefined || length > LONGEST ? [] : [length - 1, length, length + 1]
  );
  return ["", ...lengths.filter((length) => length > 0).map((length) => "a".repeat(length))];
}

function lists({ types, limits }: SchemaForm): readonly unknown[][] {
  const least = limits.get("minItems");
  return types.has("array") && least ? [Array.from({ length: least - 1 }, () => null)] : [];
}

/** Longer texts may be refused for their size alone. */
const LONGEST = 4_000;
