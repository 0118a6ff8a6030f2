import { pointerOf, validatorOf } from "../schema/mod.ts";
import { JobError, type JobHandler } from "./types.ts";

/** A payload as it is kept. @throws {JobError} for what would not fit when it is read */
export async function checkedPayload(
  name: string,
  handler: JobHandler | undefined,
  payload: unknown,
): Promise<object> {
  let kept: unknown;
  try {
    kept = JSON.parse(JSON.stringify(payload));
  } catch { /* Refused below. */ }
  if (typeof kept !== "object" || kept === null || Array.isArray(kept)) {
    throw new JobError(`Cannot enqueue '${name}': expected an object that JSON can hold`);
  }
  if (handler) {
    await parsedPayload(handler, kept).catch(({ message }: Error) => {
      throw new JobError(`Cannot enqueue '${name}': ${message}`);
    });
  }
  return kept;
}

/** The payload of a job did not fit its schema. */
export class PayloadError extends Error {
  override readonly name = "PayloadError";
}

/** What the method is called with. @throws {PayloadError} */
export async function parsedPayload({ schema }: JobHandler, kept: unknown): Promise<unknown> {
  if (schema === undefined) return kept;
  const result = await validatorOf(schema)(kept);
  if (result.issues === undefined) return result.value;
  const issues = result.issues.slice(0, 3)
    .map((issue) => `'${pointerOf(issue)}': ${issue.message}`).join("; ");
  throw new PayloadError(`the payload does not fit its schema at ${issues}`);
}
