import { brand, HttpError } from "../http/mod.ts";

/** A request that reached no handler: nothing was thrown, so error controllers get no error for it. */
export class RoutingError extends HttpError {
  static {
    brand(this, "RoutingError");
  }
}
