import { ControllerAdvice, ExceptionHandler, HttpStatus, problem, ResponseEntity } from "irori";

/** There is no connection to be had. */
export class DatabaseUnavailable extends Error {}

/** Says to clients that it is worth trying again. */
@ControllerAdvice()
export class DatabaseAdvice {
  @ExceptionHandler(DatabaseUnavailable)
  unavailable() {
    const status = HttpStatus.SERVICE_UNAVAILABLE;
    return ResponseEntity.status(status).withHeader("Retry-After", "5")
      .withJson(problem(status));
  }
}
