import type { StandardSchemaV1 } from "@standard-schema/spec";
import { brand, decodeUtf8, HttpError, type Received } from "../../http/mod.ts";
import { validatorOf } from "../../schema/mod.ts";
import { followedBy } from "../../text/mod.ts";
import { type PlaceName, PLACES } from "./places.ts";
import { decodeQueryValue } from "./query.ts";

/** A request with invalid values for the parameters of its handler. */
export class BindingError extends HttpError {
  static {
    brand(this, "BindingError");
  }

  constructor(
    status: number,
    message: string,
    /** At least one, in the order of the parameters. */
    readonly errors: readonly {
      /** JSON pointer (RFC 6901) into the body. */
      readonly pointer?: string;
      /** Name of a path variable, query parameter, form field or part. */
      readonly parameter?: string;
      /** Name of a request header. */
      readonly header?: string;
      /** Name of a cookie. */
      readonly cookie?: string;
      /** A sentence without its final period. */
      readonly message: string;
    }[],
    options?: { readonly cause?: unknown },
  ) {
    super(status, message, options);
  }
}

export type BindingIssue = BindingError["errors"][number];

const MOST = { issues: 100, characters: 300 };

/** A body of 1 MiB can have 100,000 issues: only the first are listed, with clipped texts. */
function issuesOf(
  issues: readonly StandardSchemaV1.Issue[],
  place: (issue: StandardSchemaV1.Issue) => Omit<BindingIssue, "message">,
): readonly BindingIssue[] {
  const told = issues.slice(0, MOST.issues).map((issue) => {
    const entries = Object.entries({ ...place(issue), message: issue.message });
    return Object.fromEntries(entries.map(([name, text]) => [name, clipped(text)])) as BindingIssue;
  });
  if (issues.length > MOST.issues) {
    told.push({ message: `${issues.length - MOST.issues} more are not listed` });
  }
  return told;
}

function clipped(text: string): string {
  return text.length > MOST.characters ? `${text.slice(0, MOST.characters)}…` : text;
}

/** Validates by a schema; a promise only if the schema is asynchronous. @throws {BindingError} 400 */
export function schemaCheck(
  schema: StandardSchemaV1,
  message: (told: readonly BindingIssue[]) => string,
  place: (issue: StandardSchemaV1.Issue) => Omit<BindingIssue, "message">,
): (value: unknown) => unknown {
  const validate = validatorOf(schema);
  const accept = (result: StandardSchemaV1.Result<unknown>): unknown => {
    if (!result.issues) return result.value;
    const told = issuesOf(result.issues, place);
    throw new BindingError(400, message(told), told);
  };
  return (value) => followedBy(validate(value), accept);
}

export interface ValueSource {
  readonly in: PlaceName;
  readonly name: string;
}

export function missing(source: ValueSource): BindingError {
  return failure(source, "it is required and was not sent");
}

export function failure(source: ValueSource, message: string, cause?: unknown): BindingError {
  const text = `Cannot bind ${sourceText(source)}: ${message}`;
  return new BindingError(400, text, [{ ...sourceFields(source), message }], { cause });
}

/** Decodes a query parameter or a field. @throws {BindingError} when its percent-encoding is malformed */
export function decoded<T extends string | readonly string[]>(source: ValueSource, found: T): T {
  try {
    return (typeof found === "string" ? decodeQueryValue(found) : found.map(decodeQueryValue)) as T;
  } catch (error) {
    throw failure(source, "its percent-encoding is malformed", error);
  }
}

export function sourceText({ in: place, name }: ValueSource): string {
  return `the ${PLACES[place].label} '${name}'`;
}

export function sourceFields({ in: place, name }: ValueSource): Omit<BindingIssue, "message"> {
  return { [PLACES[place].isSecret ? place : "parameter"]: name };
}

/** @throws {BindingError} 400 when the body is not UTF-8 */
export function textOfBody(bytes: Received): string {
  try {
    return decodeUtf8(bytes);
  } catch (cause) {
    throw malformed("The request body is not UTF-8", cause);
  }
}

export function malformed(message: string, cause: unknown): BindingError {
  return new BindingError(400, message, [{ pointer: "", message }], { cause });
}
