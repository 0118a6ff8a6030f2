import { pointerOf, validatorOf } from "../../schema/mod.ts";
import { JobError, type JobHandler } from "./types.ts";

/** Escapes of U+0000 and of halves of surrogate pairs, which `jsonb` of PostgreSQL refuses. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f]..)/;

/** A payload as it is kept. @throws {JobError} for what would not fit when it is read */
export async function checkedPayload(
  name: string,
  handler: JobHandler | undefined,
  payload: unknown,
): Promise<object> {
  let kept: unknown;
  try {
    const text = JSON.stringify(payload);
    if (!UNSTORABLE.test(text) && !(text === "{}" && isForeign(payload))) kept = JSON.parse(text);
  } catch { /* Refused below. */ }
  if (typeof kept !== "object" || kept === null || Array.isArray(kept)) {
    throw new JobError(
      `Cannot enqueue '${name}': expected an object that JSON can hold, without U+0000 and halves of surrogate pairs`,
    );
  }
  if (handler) {
    await parsedPayload(handler, kept).catch(({ message }: Error) => {
      throw new JobError(`Cannot enqueue '${name}': ${message}`);
    });
  }
  return kept;
}

/** Whether JSON leaves out the content of its class, such as Map or Promise. */
function isForeign(payload: unknown): boolean {
  return ![Object.prototype, null].includes(Object.getPrototypeOf(payload));
}

/** The payload of a job did not fit its schema. */
export class PayloadError extends Error {
  override readonly name = "PayloadError";
}

export async function parsedPayload({ schema }: JobHandler, kept: unknown): Promise<unknown> {
  if (schema === undefined) return kept;
  const result = await validatorOf(schema)(kept);
  if (result.issues === undefined) return result.value;
  const issues = result.issues.slice(0, 3)
    .map((issue) => `'${pointerOf(issue)}': ${issue.message}`).join("; ");
  throw new PayloadError(`the payload does not fit its schema at ${issues}`);
}
