import { HttpStatus, STATUS } from "@irori/irori";

/** A failure of a request for users; clients see its message. */
export abstract class UserError extends Error {}

export class UserNotFound extends UserError {
  static readonly [STATUS] = HttpStatus.NOT_FOUND;
}

export class EmailTaken extends UserError {
  static readonly [STATUS] = HttpStatus.CONFLICT;

  constructor(email: string) {
    super(`A user with the email ${email} already exists`);
  }
}

/** The database has refused a change. */
export class ChangeFailed extends UserError {
  static readonly [STATUS] = HttpStatus.INTERNAL_SERVER_ERROR;

  constructor(what: string, cause: unknown) {
    super(`Failed to ${what}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}
