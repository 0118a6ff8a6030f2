import type { Context } from "hono";
import type { Serving } from "./serving.ts";

/** By which an answer says that it takes the whole connection. Registered, as applications may have two copies. */
export const UPGRADE: unique symbol = Symbol.for("irori.upgrade") as never;

export interface Upgrade {
  /** Makes the answer. @throws {HttpError} when the request asks for no such thing */
  [UPGRADE](context: Context, serving?: Serving): Promise<Response>;
}

export function isUpgrade(value: unknown): value is Upgrade {
  return typeof value === "object" && value !== null && UPGRADE in value;
}
