import { HttpStatus } from "./status.ts";

/**
 * Names the status of an error's class: what is thrown of it, or of a class that extends it, is answered with that, and
 * the message of a 4xx goes to the client, as that of an `HttpError` does. Anything else than an `HttpStatus` (or its
 * code) from 400 to 599 is an error at startup where the class is known by then, and a 500 where not.
 *
 * ```ts ignore
 * class OutOfStock extends Error {
 *   static readonly [STATUS] = HttpStatus.CONFLICT;
 * }
 * ```
 */
export const STATUS: unique symbol = Symbol.for("irori: status");

/** Inherited, too. @throws {RangeError} for a status that is no error */
export function declaredStatus(type: unknown): HttpStatus | undefined {
  if (typeof type !== "function" || !(STATUS in type)) return undefined;
  const declared = type[STATUS];
  const code = declared instanceof HttpStatus ? declared.value : declared;
  if (typeof code === "number" && Number.isInteger(code) && code >= 400 && code <= 599) {
    return HttpStatus.of(code);
  }
  const found = typeof code === "object" ? "an object" : `'${String(code)}'`;
  throw new RangeError(
    `Cannot use the [STATUS] of '${type.name}': expected an HttpStatus from 400 to 599, found ${found}`,
  );
}

/** The status that the class of an error names. @throws {RangeError} when that is none of an error */
export function statusOfClass(error: unknown): HttpStatus | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  return declaredStatus(Object.getPrototypeOf(error)?.constructor);
}
