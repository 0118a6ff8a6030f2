import { compareOpenApi } from "@irori/irori/openapi";
import type { Mutant } from "./_mutants.ts";

/**
 * Why a change breaks no client, by the documents before and after it: requests that were taken are taken, and more; or the
 * answer is one that is declared. `undefined` where nothing says so: then who has not caught it has a gap.
 */
export function evidenceOf(mutant: Mutant, before: unknown, after: unknown): string | undefined {
  if (compareOpenApi(before, after).breaking.length > 0) return undefined;
  const isOther = compareOpenApi(outputsOf(after), outputsOf(before)).breaking.length > 0;
  if (isOther) return undefined;
  const [wider, ...more] = compareOpenApi(inputsOf(after), inputsOf(before)).breaking;
  if (wider !== undefined) {
    const { routes: [route = ""], where } = wider;
    const others = more.length > 0 ? ` and ${more.length} more` : "";
    return `takes more than before, by comparison (${route}, ${where}${others})`;
  }
  const { method, nulled } = mutant;
  if (method === undefined || nulled === undefined) return undefined;
  const declared = operationsOf(after).filter(({ operationId }) =>
    operationId.toLowerCase() === method.replace(".", "_").toLowerCase()
  );
  const isDeclared = declared.length > 0 &&
    declared.every((operation) => takesNull(after, operation.responses, nulled));
  return isDeclared ? `\`null\` is declared for '${nulled}' of ${method}()` : undefined;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** The document without what it says of answers. */
function inputsOf(document: unknown): unknown {
  return changed(document, (operation) => ({ ...operation, responses: {} }));
}

/** The document without what it says of requests. */
function outputsOf(document: unknown): unknown {
  return changed(document, ({ parameters: _, requestBody: __, ...operation }) => operation);
}

function changed(
  document: unknown,
  change: (operation: Readonly<Record<string, unknown>>) => unknown,
): unknown {
  const { paths, ...rest } = document as { readonly paths: Record<string, Record<string, object>> };
  const made = Object.entries(paths).map(([path, item]) => {
    const methods = Object.entries(item).map((
      [method, operation],
    ) => [method, change({ ...operation })]);
    return [path, Object.fromEntries(methods)];
  });
  return { ...rest, paths: Object.fromEntries(made) };
}

function operationsOf(document: unknown): readonly Operation[] {
  const { paths = {} } = document as { readonly paths?: Record<string, Record<string, Operation>> };
  return Object.values(paths).flatMap((item) => Object.values(item));
}

/** Whether a 2xx has the field, and it may be `null`. */
function takesNull(
  document: unknown,
  responses: Operation["responses"],
  field: string,
): boolean {
  const found = Object.entries(responses).filter(([status]) => status.startsWith("2")).flatMap((
    [, response],
  ) => fieldsOf(document, response, field, new Set()));
  return found.length > 0 && found.every((schema) => JSON.stringify(schema).includes('"null"'));
}

/** The schemas of a field, at any depth. */
function fieldsOf(
  document: unknown,
  part: unknown,
  field: string,
  seen: Set<unknown>,
): readonly unknown[] {
  if (typeof part !== "object" || part === null || seen.has(part)) return [];
  seen.add(part);
  const { properties, $ref } = part as {
    readonly properties?: Record<string, unknown>;
    readonly $ref?: string;
  };
  const own = properties?.[field] === undefined ? [] : [properties[field]];
  const target = $ref === undefined ? undefined : followed(document, $ref);
  return [
    ...own,
    ...[target, ...Object.values(part)].flatMap((inner) => fieldsOf(document, inner, field, seen)),
  ];
}

function followed(document: unknown, reference: string): unknown {
  return reference.replace(/^#\//, "").split("/").reduce<unknown>(
    (part, name) => (part as Record<string, unknown> | undefined)?.[decodeURIComponent(name)],
    document,
  );
}
