import {
  ControllerAdvice,
  ExceptionHandler,
  type HttpRequest,
  HttpStatus,
  problem,
} from "@irori/irori";
import { TooManyNotes } from "./note.ts";

@ControllerAdvice()
export class NoteErrors {
  @ExceptionHandler(TooManyNotes)
  tooMany({ message, limit }: TooManyNotes, request: HttpRequest) {
    return problem(HttpStatus.CONFLICT, {
      type: "/problems/too-many-notes",
      detail: message,
      instance: request.path,
      limit,
    });
  }
}
