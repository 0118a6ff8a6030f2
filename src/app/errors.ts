/** A file that the component scan cannot import. */
export class ScanError extends Error {
  override readonly name = "ScanError";

  /** @param message names the file, and says why it could not be imported */
  constructor(
    message: string,
    readonly path: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The bean `errorController` is no error controller. */
export class ErrorControllerError extends TypeError {
  override readonly name = "ErrorControllerError";
}

/** Of the library: their messages say what is wrong around it, and their frames nothing more. */
const OWN =
  /^(?:Config|Scan|Mapping|ErrorController|\w*Bean|Bean\w+|Listen|\w*Files|MissingFolder|Locked|Connection|Database|Migration\w+|Interrupted|History|Job)Error$/;
const OF_SYSTEM = /^(?:Listen|Connection|Database)Error$/;

/** Runtimes print it without frames then, if nothing catches it. Causes in code of the application keep theirs. */
export function withoutFrames(error: unknown): unknown {
  let above = "";
  for (let one = error; one instanceof Error; one = one.cause) {
    if (!OWN.test(one.name) && !OF_SYSTEM.test(above)) break;
    one.stack = `${one.name}: ${one.message}`;
    above = one.name;
  }
  return error;
}
