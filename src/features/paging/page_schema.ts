import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  composite,
  isSchema,
  type JsonSchema,
  modelSchema,
  validatorOf,
} from "../../schema/mod.ts";
import type { PageMetadata, SliceMetadata } from "./page.ts";

/**
 * The schema of a `Page` whose elements fit a schema, for `returns` of a mapping: what `element` does not name is not sent.
 *
 * ```ts ignore
 * @GetMapping({ path: "/users", returns: pageOf(UserView) }, Pageable())
 * ```
 *
 * Where the element has a name in the OpenAPI document the page has one, too: `UserViewPage`.
 *
 * @param element any Standard Schema, or a class made with `Model(schema)`
 * @throws {TypeError} for what is no schema
 */
export function pageOf<S extends StandardSchemaV1>(
  element: S,
): StandardSchemaV1<
  Body<StandardSchemaV1.InferInput<S>, PageMetadata>,
  Body<StandardSchemaV1.InferOutput<S>, PageMetadata>
> {
  return schemaOf(element, PAGE);
}

/** The schema of a `Slice`, in the same way as {@linkcode pageOf}. */
export function sliceOf<S extends StandardSchemaV1>(
  element: S,
): StandardSchemaV1<
  Body<StandardSchemaV1.InferInput<S>, SliceMetadata>,
  Body<StandardSchemaV1.InferOutput<S>, SliceMetadata>
> {
  return schemaOf(element, SLICE);
}

/** @internal */
interface Body<T, M> {
  readonly content: readonly T[];
  readonly page: M;
}

const NUMBER = { type: "integer", format: "int64", minimum: 1 };
const COUNT = { type: "integer", format: "int64", minimum: 0 };

type Kind = ReturnType<typeof pageKind>;

const PAGE = pageKind("Page", {
  size: NUMBER,
  number: NUMBER,
  totalElements: COUNT,
  totalPages: COUNT,
});

const SLICE = pageKind("Slice", { size: NUMBER, number: NUMBER, hasNext: { type: "boolean" } });

function pageKind(name: "Page" | "Slice", metadata: Readonly<Record<string, JsonSchema>>) {
  const described = { type: "object", properties: metadata, required: Object.keys(metadata) };
  // One for each schema of elements, so that a document has it once.
  return { name, metadata, described, made: new WeakMap<StandardSchemaV1, StandardSchemaV1>() };
}

function schemaOf<I, O>(element: StandardSchemaV1, kind: Kind): StandardSchemaV1<I, O> {
  const known = kind.made.get(element);
  if (known) return known as StandardSchemaV1<I, O>;
  const { name, metadata } = kind;
  if (!isSchema(element)) {
    const maker = `${name.toLowerCase()}Of()`;
    throw new TypeError(
      `Cannot make a schema with ${maker}: expected the schema of an element, found '${element}'`,
    );
  }
  // Instances are of no use to who writes them as JSON.
  const validate = validatorOf(modelSchema(element) ?? element);
  const schema: StandardSchemaV1<I, O> = composite({
    "~standard": {
      version: 1,
      vendor: "irori",
      validate: (value) => validateBody(value, metadata, validate),
    },
  }, {
    part: element,
    pointer: "/content/*",
    suffix: name,
    describe: (items, own) => ({
      type: "object",
      properties: {
        content: { type: "array", items },
        page: own(`${name}Metadata`, kind.described),
      },
      required: ["content", "page"],
    }),
  });
  kind.made.set(element, schema);
  return schema;
}

type Validate = StandardSchemaV1["~standard"]["validate"];

function validateBody<O>(
  value: unknown,
  metadata: Readonly<Record<string, JsonSchema>>,
  validate: Validate,
): StandardSchemaV1.Result<O> | Promise<StandardSchemaV1.Result<O>> {
  const { content, page }: Readonly<Record<string, unknown>> = Object(value);
  const issues: StandardSchemaV1.Issue[] = [];
  if (!Array.isArray(content)) issues.push({ message: "expected a list", path: ["content"] });
  const numbers: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(metadata)) {
    const found = numbers[name] = Object(page)[name];
    if (fits(found, schema)) continue;
    issues.push({ message: `expected ${schema.type}`, path: ["page", name] });
  }
  if (issues.length > 0) return { issues };
  const finish = (results: readonly StandardSchemaV1.Result<unknown>[]) => {
    const issues = results.flatMap(({ issues = [] }, index) =>
      issues.map((issue) => ({ ...issue, path: ["content", index, ...issue.path ?? []] }))
    );
    if (issues.length > 0) return { issues };
    const content = results.map((result) =>
      (result as StandardSchemaV1.SuccessResult<unknown>).value
    );
    return { value: { content, page: numbers } as O };
  };
  const results = (content as readonly unknown[]).map((element) => validate(element));
  return results.some((result) => result instanceof Promise)
    ? Promise.all(results).then(finish)
    : finish(results as StandardSchemaV1.Result<unknown>[]);
}

function fits(value: unknown, { type, minimum }: JsonSchema): boolean {
  if (type === "boolean") return typeof value === "boolean";
  return Number.isSafeInteger(value) && (value as number) >= (minimum as number);
}
