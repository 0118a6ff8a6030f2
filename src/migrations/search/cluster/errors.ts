import { ConnectionError } from "../../runner/mod.ts";

/** No answer came, or one that refuses who asks. */
export class TransportError extends ConnectionError {
  /** Whether the cluster may have received the request, and done it. */
  readonly mayHaveArrived: boolean;

  constructor(
    connection: string,
    message: string,
    mayHaveArrived: boolean,
    options?: ConstructorParameters<typeof ConnectionError>[2],
  ) {
    super(connection, message, options);
    this.mayHaveArrived = mayHaveArrived;
  }
}
