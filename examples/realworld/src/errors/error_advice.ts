import {
  BindingError,
  ControllerAdvice,
  ExceptionHandler,
  HttpError,
  type HttpRequest,
  HttpStatus,
} from "irori";
import { ApiError, Errors } from "./api_error.ts";

/** Gives each error the body of the specification, in place of problem details. */
@ControllerAdvice()
export class ErrorAdvice {
  @ExceptionHandler({
    status: HttpStatus.UNPROCESSABLE_ENTITY,
    returns: Errors,
  }, BindingError)
  invalid(error: BindingError): Errors {
    const errors: Record<string, string[]> = {};
    for (const { pointer, parameter, message } of error.errors) {
      // The first name of a pointer is that of the envelope: /article/tagList/0.
      const [, envelope, field] = pointer?.split("/") ?? [];
      (errors[field ?? parameter ?? (envelope || "body")] ??= []).push(message);
    }
    return { errors };
  }

  @ExceptionHandler({ returns: Errors }, Error)
  failed(error: Error, request: HttpRequest): Errors {
    if (error instanceof ApiError) {
      return { errors: { [error.subject]: [error.reason] } };
    }
    if (!(error instanceof HttpError)) {
      return { errors: { server: ["has failed"] } };
    }
    if (error.status === HttpStatus.UNAUTHORIZED) {
      return {
        errors: {
          token: [
            request.header("Authorization") ? "is invalid" : "is missing",
          ],
        },
      };
    }
    return { errors: { request: [error.status.reasonPhrase] } };
  }
}
