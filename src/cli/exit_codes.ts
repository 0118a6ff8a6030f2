export const EXIT = {
  done: 0,
  unexpected: 1,
  usage: 2,
  invalid: 3,
  pending: 4,
  differs: 5,
  locked: 6,
  connection: 7,
  failed: 8,
  interrupted: 9,
} as const;

export const EXIT_CODES: readonly (readonly [code: string, meaning: string])[] = [
  [`${EXIT.done}`, "done"],
  [`${EXIT.unexpected}`, "unexpected error"],
  [`${EXIT.usage}`, "usage or configuration error; '--yes' is missing"],
  [`${EXIT.invalid}`, "invalid migration files, nothing of their connection was applied"],
  [
    `${EXIT.pending}`,
    "files are pending or changed ('status --check'), or stale ('scan --check', 'types --check')",
  ],
  [
    `${EXIT.differs}`,
    "live resources differ from the files ('drift'), the schema from its file ('schema --check'), or clients would break " +
    "('contract --against')",
  ],
  [`${EXIT.locked}`, "locked by another run"],
  [`${EXIT.connection}`, "no connection, or the credentials were rejected"],
  [`${EXIT.failed}`, "a migration failed"],
  [`${EXIT.interrupted}`, "an interrupted run needs 'resolve'"],
  ["130, 143", "stopped by SIGINT, SIGTERM"],
];
