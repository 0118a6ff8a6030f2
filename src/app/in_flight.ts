/** Counts requests that are being answered, bodies that are still being sent included. */
export class InFlight {
  #count = 0;
  #waiting: (() => void)[] = [];

  /** How many are being answered now. */
  get count(): number {
    return this.#count;
  }

  /** Counts one request until its response is there. What is answered at once is never waited for. */
  run(respond: () => Response | Promise<Response>): Response | Promise<Response> {
    this.#count++;
    let response: Response | Promise<Response> | undefined;
    try {
      response = respond();
    } finally {
      if (!(response instanceof Promise)) this.#leave();
    }
    return response instanceof Promise ? response.then(this.#answered, this.#failed) : response;
  }

  /** Counts a body until it is read to its end, fails, or nobody wants it any more. */
  track(response: Response): Response {
    if (response.body === null) return response;
    this.#count++;
    let open = true;
    const leave = () => {
      if (open) this.#leave();
      open = false;
    };
    const reader = response.body.getReader();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          leave();
          controller.close();
        } catch (error) {
          leave();
          controller.error(error);
        }
      },
      async cancel(reason) {
        leave();
        await reader.cancel(reason);
      },
    }, { highWaterMark: 0 });
    return new Response(body, response);
  }

  /** Resolves when nothing is in flight. */
  idle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  // Made once, and not by finally(), which takes several turns more.
  readonly #answered = (response: Response) => {
    this.#leave();
    return response;
  };

  readonly #failed = (error: unknown) => {
    this.#leave();
    throw error;
  };

  #leave(): void {
    this.#count--;
    if (this.#count > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
