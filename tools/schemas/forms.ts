/**
 * Forms of values, as clusters read them: a number may be a text, and any value may be a placeholder, `"${name}"`.
 * Only what every version refuses is refused: the cluster knows better, and plugins add to it.
 */

/** A JSON Schema, draft 7. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

export type Members = Readonly<Record<string, Schema>>;

const PLACEHOLDER = "\\$\\{";
const SCALAR = ["string", "number", "boolean"];

const NATURAL = {
  pattern: "^\\+?\\d+$|\\$\\{",
  patternErrorMessage: "Expected a whole number from 0",
  minimum: 0,
};

/** Times and sizes that need no unit: off, and none. */
const WITHOUT_UNIT = { minimum: -1, maximum: 0 };

export const ANY: Schema = {};

export function ref(name: string): Schema {
  return { $ref: `#/definitions/${name}` };
}

const TIME =
  "-0*1|0+|\\d+\\s*(?:[nN][aA][nN][oO][sS]|[mM][iI][cC][rR][oO][sS]|[mM][sS]|[sSmMhHdD])";
const SIZE = "-0*1|0+|\\d+(?:\\.\\d+)?\\s*(?:[kKmMgGtTpP]?[bB]|[kKmMgGtTpP])";

/** Shared by all others. */
export const FORMS: Members = {
  boolean: worded(["boolean", "string"], "true|false", "true or false"),
  integer: worded(["integer", "string"], "[-+]?\\d+", "a whole number"),
  number: worded(
    ["number", "string"],
    "[-+]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][-+]?\\d+)?|-?Infinity|NaN",
    "a number",
  ),
  time: { ...worded(["integer", "string"], TIME, "a time such as '30s'"), ...WITHOUT_UNIT },
  size: { ...worded(["integer", "string"], SIZE, "a size such as '50gb'"), ...WITHOUT_UNIT },
  text: { type: SCALAR },
  texts: { type: ["array", ...SCALAR], items: { type: SCALAR } },
  textList: list({ type: SCALAR }),
  string: { type: "string" },
  script: object({
    source: { type: ["string", "object"] },
    id: ref("text"),
    lang: ref("language"),
    params: map(ANY),
    options: map(ANY),
  }, { alsoText: true }),
  language: knownWords(["expression", "mustache", "painless"]),
};

/** The forms of settings; `null` removes a setting. */
export const SETTING_FORMS: Members = {
  "setting.boolean": ofSetting("boolean"),
  "setting.integer": ofSetting("integer"),
  "setting.count": { ...ofSetting("integer"), ...NATURAL },
  "setting.number": ofSetting("number"),
  "setting.time": ofSetting("time"),
  "setting.size": ofSetting("size"),
  "setting.text": { type: [...SCALAR, "null"] },
  "setting.texts": { type: ["array", ...SCALAR, "null"], items: { type: SCALAR } },
};

function ofSetting(form: keyof typeof FORMS): Schema {
  const { type, ...rest } = FORMS[form]!;
  return { type: [...type as readonly string[], "null"], ...rest };
}

/** A text of a form, or with a placeholder. @param types `string` among them */
function worded(types: readonly string[], pattern: string, expected: string): Schema {
  return {
    type: types,
    pattern: `^(?:${pattern})$|${PLACEHOLDER}`,
    patternErrorMessage: `Expected ${expected}`,
  };
}

export interface ObjectOptions {
  readonly required?: readonly string[];
  /** Whether clusters refuse other members. @default false: only misspelt ones are found */
  readonly closed?: boolean;
  /** Whether a text has a meaning in its place. @default false: only a placeholder has one */
  readonly alsoText?: boolean;
}

export function object(properties: Members, options: ObjectOptions = {}): Schema {
  const { required = [], closed = false, alsoText = false } = options;
  return {
    type: ["object", "string"],
    ...(!alsoText && { pattern: PLACEHOLDER, patternErrorMessage: "Expected an object" }),
    properties,
    ...(required.length > 0 && { required }),
    ...(closed && { additionalProperties: false }),
  };
}

/** The same, or `null`. */
export function orNull({ type, ...rest }: Schema): Schema {
  return { type: [type, "null"].flat(), ...rest };
}

/** Names of the user's. */
export function map(value: Schema): Schema {
  return {
    type: ["object", "string"],
    pattern: PLACEHOLDER,
    patternErrorMessage: "Expected an object",
    ...(value !== ANY && { additionalProperties: value }),
  };
}

export function list(items: Schema): Schema {
  return {
    type: ["array", "string"],
    pattern: PLACEHOLDER,
    patternErrorMessage: "Expected a list",
    ...(items !== ANY && { items }),
  };
}

/** One of them, or a list. */
export function oneOrMore(items: Schema): Schema {
  return { anyOf: [{ type: "array", items }, items] };
}

/** One of some members, at least. */
export function needs(...names: readonly string[]): Schema {
  return {
    anyOf: names.map((name) => ({ required: [name] })),
    errorMessage: `${listed(names)} is missing`,
  };
}

/** Words of which one is needed, in either case. */
export function words(...words: readonly string[]): Schema {
  return choice("string", words);
}

/** The same, and `true` and `false`, which may be texts. */
export function booleanOr(...words: readonly string[]): Schema {
  return choice(["boolean", "string"], ["true", "false", ...words]);
}

function choice(type: string | readonly string[], words: readonly string[]): Schema {
  const pattern = words.map(inEitherCase).join("|");
  return {
    type,
    pattern: `^(?:${pattern})$|${PLACEHOLDER}`,
    patternErrorMessage: `Expected ${listed(words)}`,
    examples: words,
  };
}

function inEitherCase(word: string): string {
  return escaped(word).replace(
    /[a-z]/gi,
    (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`,
  );
}

function listed(words: readonly string[]): string {
  const quoted = words.map((word) => `'${word}'`);
  return quoted.length === 1 ? quoted[0]! : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}

/** Words that editors offer; plugins may add others. */
export function examples(words: readonly string[]): Schema {
  return { type: SCALAR, examples: words };
}

/** The same for texts, and editors find a misspelt one. */
export function knownWords(words: readonly string[]): Schema {
  return {
    type: "string",
    examples: words,
    allOf: words.map((word) => ({
      pattern: `^(?!${nearMisses(word, words)})`,
      patternErrorMessage: `Unknown value: did you mean '${word}'?`,
    })),
  };
}

/** Members that are probably a misspelt one of some. */
export function misspelt(names: readonly string[]): Members {
  return Object.fromEntries(
    names.filter((name) => name.length > 3).map((name) => [
      `^${nearMisses(name, names)}`,
      { not: {}, errorMessage: `Unknown key: did you mean '${name}'?` },
    ]),
  );
}

/**
 * A regular expression of words that differ from a word in one letter: one left out, added, replaced, or swapped with
 * the next.
 */
function nearMisses(word: string, known: readonly string[]): string {
  const letters = [...word];
  const part = (from: number, to?: number) => escaped(letters.slice(from, to).join(""));
  const misses = letters.flatMap((_, index) => [
    `${part(0, index)}.?${part(index + 1)}`,
    `${part(0, index)}.${part(index)}`,
    ...(index + 1 < letters.length
      ? [
        `${part(0, index)}${part(index + 1, index + 2)}${part(index, index + 1)}${part(index + 2)}`,
      ]
      : []),
  ]);
  const pattern = `(?:${[...misses, `${part(0)}.`].join("|")})$`;
  const others = known.filter((other) => new RegExp(`^${pattern}`).test(other)).map(escaped);
  return `(?!(?:${others.join("|")})$)${pattern}`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
