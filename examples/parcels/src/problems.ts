import { HttpStatus, Problem } from "irori";

export class ParcelNotFound extends Problem({
  status: HttpStatus.NOT_FOUND,
  type: "/problems/parcel-not-found",
  title: "No such parcel",
}) {}

export class NoteNotFound extends Problem({
  status: HttpStatus.NOT_FOUND,
  type: "/problems/note-not-found",
  title: "No such delivery note",
}) {}

export class LoginFailed extends Problem({
  status: HttpStatus.UNAUTHORIZED,
  type: "/problems/login-failed",
  title: "Unknown name, password or refresh token",
}) {}

export class NameTaken extends Problem({
  status: HttpStatus.CONFLICT,
  type: "/problems/name-taken",
  title: "There is a user of this name already",
}) {}
