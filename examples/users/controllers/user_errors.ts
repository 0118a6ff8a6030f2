import { ControllerAdvice, ExceptionHandler } from "@irori/irori";
import { UserError } from "../errors.ts";

/** Answers errors of users in the envelope of this API; each class says its status. */
@ControllerAdvice()
export class UserErrors {
  @ExceptionHandler(UserError)
  answer(error: UserError) {
    return { success: false, message: error.message };
  }
}
