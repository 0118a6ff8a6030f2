import { type ArgumentsHost, Catch, type ExceptionFilter } from "@nestjs/common";
import { NoteNotFound, TooManyNotes } from "./note.js";

@Catch(NoteNotFound, TooManyNotes)
export class NoteErrors implements ExceptionFilter {
  catch(error: NoteNotFound | TooManyNotes, host: ArgumentsHost) {
    const request = host.switchToHttp().getRequest();
    const about = error instanceof TooManyNotes
      ? { type: "/problems/too-many-notes", title: "Conflict", status: 409, limit: error.limit }
      : { type: "about:blank", title: "Not Found", status: 404 };
    host.switchToHttp().getResponse().status(about.status).type("application/problem+json")
      .send(JSON.stringify({ ...about, detail: error.message, instance: request.path }));
  }
}
