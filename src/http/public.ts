/**
 * Values on the wire: status, request, response, errors, problem details, XML.
 *
 * @example A response step by step
 * ```ts
 * import { HttpStatus, ResponseEntity } from "@irori/irori/http";
 *
 * const response = ResponseEntity.status(HttpStatus.CONFLICT)
 *   .withHeader("Retry-After", "5")
 *   .withJson({ message: "Taken" })
 *   .toResponse();
 * console.log(response.status); // 409
 * ```
 *
 * @module
 */
export { HttpError, type HttpErrorOptions, STATUS } from "./error.ts";
export { problem, type ProblemDetail } from "./problem.ts";
export { HttpRequest } from "./request.ts";
export { Problem } from "./problem_type.ts";
export { ResponseEntity } from "./response_entity.ts";
export { ServerSentEvent } from "./server_sent_events.ts";
export { HttpStatus } from "./status.ts";
export { toXml, XmlError } from "./xml.ts";
