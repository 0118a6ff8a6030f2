/**
 * Development stand-in for `@std/yaml`, over npm `js-yaml` 3, from which `@std/yaml` was ported: both read the same
 * types (dates, `0x1F`, `017`, `1_000`) and name the same places in errors.
 *
 * @module
 */
// @ts-types="npm:@types/js-yaml@^3.12.10"
import yaml from "js-yaml";

/** What {@linkcode parse} takes. */
export interface ParseOptions {
  /** Which types plain scalars may have; `core` leaves dates out, `failsafe` knows text only. @default "default" */
  schema?: "failsafe" | "core" | "default";
}

/**
 * Parses one YAML document.
 *
 * @throws {SyntaxError} with the position: `… at line 2, column 3:` and the line itself
 */
export function parse(content: string, options: ParseOptions = {}): unknown {
  const documents: unknown[] = [];
  try {
    yaml.safeLoadAll(content, (document) => documents.push(document), {
      schema: SCHEMAS[options.schema ?? "default"],
    });
  } catch (error) {
    if (!(error instanceof yaml.YAMLException)) throw error;
    const { reason, mark } = error as YAMLException;
    throw new SyntaxError(
      `${reason} at line ${mark.line + 1}, column ${mark.column + 1}:\n${mark.getSnippet()}`,
    );
  }
  if (documents.length > 1) {
    throw new SyntaxError(
      `Found more than 1 document in the stream: expected a single document ${
        secondDocument(content)
      }`,
    );
  }
  return documents[0] ?? null;
}

/** Writes a value as YAML. @throws {TypeError} for what YAML does not have, as `undefined` and functions */
export function stringify(data: unknown): string {
  try {
    return yaml.safeDump(data, { schema: SCHEMAS.default });
  } catch (error) {
    if (!(error instanceof yaml.YAMLException)) throw error;
    throw new TypeError(error.message, { cause: error });
  }
}

/** Where the second document begins, as `@std/yaml` says it. */
function secondDocument(content: string): string {
  // The first match is where the first document begins, be it without a marker.
  const [, second] = [
    ...`\n${content}`.matchAll(/\n---(?=\s|$)|^(?!(?:\s|#.*|%.*)*\n---)/g),
  ];
  const line = content.slice(0, second?.index ?? 0).split("\n").length;
  return `at line ${line}, column 1:`;
}

/** What the types leave out. */
interface YAMLException extends Error {
  readonly reason: string;
  readonly mark: {
    readonly line: number;
    readonly column: number;
    getSnippet(): string;
  };
}

type ImplicitType = yaml.Type & { readonly tag: string };

/** The schemas of `js-yaml` without base 60: `12:30` is a text. */
const SCHEMAS = {
  failsafe: yaml.FAILSAFE_SCHEMA,
  core: withoutBase60(yaml.CORE_SCHEMA),
  default: withoutBase60(yaml.DEFAULT_SAFE_SCHEMA),
};

function withoutBase60(schema: yaml.Schema): yaml.Schema {
  const { compiledImplicit } = schema as unknown as { compiledImplicit: ImplicitType[] };
  const numbers = compiledImplicit.filter(({ tag }) => /:(?:int|float)$/.test(tag));
  return new yaml.Schema({
    include: [schema],
    implicit: numbers.map((type) =>
      Object.assign(Object.create(type) as yaml.Type, {
        resolve: (data: unknown) => !String(data).includes(":") && type.resolve(data),
      })
    ),
  });
}
