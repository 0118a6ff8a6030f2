import { brand, HttpError } from "../http/mod.ts";

/** A request whose values do not fit the parameters of its handler. */
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

/** One thing that is wrong with a request, as the `errors` list of a problem shows it. */
export type BindingIssue = BindingError["errors"][number];
