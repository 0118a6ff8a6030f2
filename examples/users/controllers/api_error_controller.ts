import {
  Component,
  type ErrorController,
  HttpError,
  type HttpRequest,
  type HttpStatus,
  type ResponseEntity,
} from "@irori/irori";

/** Answers every request that no handler answered in the envelope of this API. */
@Component("errorController")
export class ApiErrorController implements ErrorController {
  handleError(
    request: HttpRequest,
    response: ResponseEntity,
    status: HttpStatus,
    error?: unknown,
  ): void {
    // Only messages that were written for clients leave the process.
    const message = error instanceof HttpError ? error.message : status.getReasonPhrase();
    response.withJson({ success: false, message, path: request.path });
  }
}
