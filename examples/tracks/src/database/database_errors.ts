import { ControllerAdvice, ExceptionHandler, HttpStatus, problem, ResponseEntity } from "irori";
import { ConnectionUnavailableError, sqlStateOf } from "irori/transactions";

/** Answers what the database refuses; what is not known here is a 500. */
@ControllerAdvice()
export class DatabaseErrors {
  @ExceptionHandler(ConnectionUnavailableError)
  unavailable() {
    const status = HttpStatus.SERVICE_UNAVAILABLE;
    return ResponseEntity.status(status).withHeader("Retry-After", "5").withJson(problem(status));
  }

  @ExceptionHandler(Error)
  refused(error: Error) {
    if (sqlStateOf(error) !== FOREIGN_KEY_VIOLATION) throw error;
    return problem(HttpStatus.CONFLICT, { detail: "What it belongs to was deleted meanwhile" });
  }
}

const FOREIGN_KEY_VIOLATION = "23503";
