import { HttpError, HttpStatus, Model } from "irori";
import * as z from "zod";

/** The body of each error: what is wrong with a field, or with what the request is about. */
export class Errors extends Model(
  z.object({ errors: z.record(z.string(), z.array(z.string())) }),
) {}

export class ApiError extends HttpError {
  /** @param subject a field or a resource, the key of `errors` */
  constructor(status: HttpStatus, readonly subject: string, readonly reason: string) {
    super(status, `${subject} ${reason}`);
  }
}

export type Resource = "article" | "comment" | "profile";

export const notFound = (resource: Resource) =>
  new ApiError(HttpStatus.NOT_FOUND, resource, "not found");

export const forbidden = (resource: Resource) =>
  new ApiError(HttpStatus.FORBIDDEN, resource, "forbidden");
