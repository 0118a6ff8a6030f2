import { Model } from "@irori/irori";
import * as z from "zod";

/** The envelope of every answer that went well, for the documentation of the API. */
export function answerOf<S extends z.ZodType>(data: S = z.unknown().optional() as never) {
  return z.object({ success: z.literal(true), data, message: z.string().optional() });
}

/** The envelope of every answer that did not. */
export class Failure extends Model(
  z.object({ success: z.literal(false), message: z.string(), path: z.string().optional() }),
) {}
