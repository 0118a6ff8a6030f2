import type { AddedFields } from "../../http/mod.ts";
import { routingPath } from "../path/routing_path.ts";

/** What chooses the fields of a request. Its path is that which routes see, without the query. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  header(name: string): string | null;
}

/** @internal Adds header fields to all answers: those of handlers, middleware and errors alike. */
export interface FieldSource {
  /** The answer to a request that no route and no check shall see, such as a preflight of CORS. */
  before(request: Request): Response | undefined;
  addedTo(response: Response, request: Request): Response;
  /** For the answers to a request: the same object for the same fields, as each is prepared only once. */
  of(request: Asked): AddedFields;
}

export function askedBy(request: Request): Asked {
  return {
    method: request.method,
    get path() {
      return routingPath(request);
    },
    header: (name) => request.headers.get(name),
  };
}
