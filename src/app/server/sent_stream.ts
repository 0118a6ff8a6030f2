/** The error of a body whose connection is cut. Bun does not print an `AbortError`, but every other error. */
export class ConnectionCut extends DOMException {
  constructor(message: string) {
    super(message, "AbortError");
  }
}

export class SentStream {
  readonly readable: ReadableStream<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #isOver = false;

  constructor(
    source: ReadableStream<Uint8Array>,
    readonly failed: (error: unknown) => void,
    unwanted: () => void,
    readonly ended: () => void,
    readonly isCancellable = true,
  ) {
    this.#reader = source.getReader();
    this.readable = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => this.#send(),
      cancel: (reason) => {
        unwanted();
        // It is, too, while a failure waits for what was sent before.
        return this.#isOver ? undefined : this.#giveUp(reason);
      },
    }, { highWaterMark: 0 });
  }

  end(): void {
    if (this.#isOver) return;
    this.#controller.close();
    void this.#giveUp();
  }

  cut(): void {
    if (this.#isOver) return;
    const reason = new ConnectionCut("The server has ended");
    this.#controller.error(reason);
    void this.#giveUp(reason);
  }

  async #send(): Promise<void> {
    try {
      const { done, value } = await this.#reader.read();
      if (this.#isOver) return;
      if (!done) return this.#controller.enqueue(value);
      this.#isOver = true;
      this.#controller.close();
    } catch (error) {
      if (this.#isOver) return;
      this.#isOver = true;
      this.failed(error);
      // Earlier writes go out first; Bun would not even send the head, and print the error.
      await new Promise((resolve) => setTimeout(resolve));
      this.#controller.error(new ConnectionCut("The body of the response failed"));
    }
    this.ended();
  }

  /** Lets the source do what it does at its end, a generator its `finally`, and waits for it. */
  async #giveUp(reason?: unknown): Promise<void> {
    this.#isOver = true;
    try {
      if (this.isCancellable) await this.#reader.cancel(reason);
    } catch (error) {
      this.failed(error);
    }
    this.ended();
  }
}
