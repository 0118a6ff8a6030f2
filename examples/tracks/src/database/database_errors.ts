import { ControllerAdvice, ExceptionHandler, HttpStatus, problem, ResponseEntity } from "irori";
import pg from "pg";

/** There is no connection to be had. */
export class DatabaseUnavailable extends Error {}

/** Answers what the database refuses; what is not known here is a 500. */
@ControllerAdvice()
export class DatabaseErrors {
  @ExceptionHandler(DatabaseUnavailable)
  unavailable() {
    const status = HttpStatus.SERVICE_UNAVAILABLE;
    return ResponseEntity.status(status).withHeader("Retry-After", "5").withJson(problem(status));
  }

  @ExceptionHandler(pg.DatabaseError)
  refused(error: pg.DatabaseError) {
    if (error.code !== FOREIGN_KEY_VIOLATION) throw error;
    return problem(HttpStatus.CONFLICT, { detail: "What it belongs to was deleted meanwhile" });
  }
}

const FOREIGN_KEY_VIOLATION = "23503";
