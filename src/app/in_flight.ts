import { clientLeft, GoingAway } from "../http/mod.ts";
import { mayHaveBody, streamedResponse } from "../runtime/mod.ts";
import { isEventStream } from "../text/mod.ts";
import { SentStream } from "./sent_stream.ts";

/** What is being answered, bodies that are still being sent included. */
export class InFlight {
  readonly #requests = new Map<Request, AbortController | undefined>();
  readonly #streams = new Map<Request, SentStream>();
  /** Event streams, with what ends the wait for their sources. */
  readonly #events = new Map<Request, ReturnType<typeof setTimeout> | undefined>();
  /**
   * The request that is being dispatched. Most are answered before anybody asks for them, and to put one into a map
   * costs more than all other work of this class.
   */
  #current?: Request;
  #uploads = 0;
  #waiting: { readonly isOver: () => boolean; readonly resolve: () => void }[] = [];

  /** How many requests are being answered now. */
  get count(): number {
    return this.#requests.size + (this.#current === undefined ? 0 : 1);
  }

  /** Counts a request until it is answered, or {@linkcode keep} is called. */
  begin(request: Request): void {
    this.keep();
    this.#current = request;
  }

  /** Goes on counting the request that was begun last, which has no answer yet. */
  keep(): void {
    const request = this.#current;
    if (request === undefined) return;
    this.#current = undefined;
    this.enter(request);
  }

  /** Counts a request from here on. */
  enter(request: Request): void {
    this.#requests.set(request, undefined);
    if (mayHaveBody(request.method)) this.#uploads++;
  }

  /** The request has its response: its body is not read any more. */
  answered(request: Request): void {
    if (request === this.#current || !mayHaveBody(request.method)) return;
    this.#uploads--;
    if (this.#waiting.length > 0) this.#wake();
  }

  /** Nothing of the request is left to be done. */
  leave(request: Request): void {
    if (request === this.#current) {
      this.#current = undefined;
      return;
    }
    this.#requests.delete(request);
    if (this.#waiting.length > 0) this.#wake();
  }

  /** Aborts what a counted request waits for; `undefined` for any other. */
  controllerOf(request: Request): AbortController | undefined {
    if (request === this.#current) this.keep();
    if (!this.#requests.has(request)) return undefined;
    const controller = this.#requests.get(request) ?? new AbortController();
    this.#requests.set(request, controller);
    return controller;
  }

  /** Whether somebody has asked for the signal of a counted request. */
  isAsked(request: Request): boolean {
    return this.#requests.get(request) !== undefined;
  }

  /**
   * Keeps a request counted until the body of its response is sent, fails, or nobody wants it any more, and its source
   * has ended.
   *
   * @param failed hears of what the source throws, which only cuts the connection
   */
  track(
    request: Request,
    response: Response,
    failed: (error: unknown) => void,
  ): Response {
    const { body } = response;
    if (body === null) {
      this.leave(request);
      return response;
    }
    if (request === this.#current) {
      this.#current = undefined;
      this.#requests.set(request, undefined);
    }
    const unwanted = () => this.controllerOf(request)?.abort(clientLeft());
    const stream = new SentStream(body, failed, unwanted, () => {
      this.#streams.delete(request);
      clearTimeout(this.#events.get(request));
      this.#events.delete(request);
      this.leave(request);
    });
    this.#streams.set(request, stream);
    if (isEventStream(response.headers.get("content-type"))) this.#events.set(request, undefined);
    return streamedResponse(stream.readable, response);
  }

  /**
   * Ends event streams, which would go on for ever, and aborts the signals of their requests.
   *
   * @param milliseconds how long their requests are counted still: a generator that sleeps ends only when it wakes up
   */
  endEvents(milliseconds: number): void {
    for (const [request, timer] of this.#events) {
      if (timer !== undefined) continue;
      this.#requests.get(request)?.abort(new GoingAway());
      this.#events.set(request, setTimeout(() => this.leave(request), milliseconds));
      this.#streams.get(request)?.end();
    }
  }

  /** Aborts all signals, and cuts all bodies that are being sent. */
  cut(): void {
    // Those too that nobody has asked for: whatever fails now does because of the end.
    for (const request of [...this.#requests.keys()]) {
      this.controllerOf(request)?.abort(new GoingAway());
    }
    for (const stream of this.#streams.values()) stream.cut();
  }

  /** Resolves when nothing is in flight. */
  idle(): Promise<void> {
    return this.#until(() => this.#requests.size === 0);
  }

  /** Resolves when there is no request whose body may be read. */
  uploaded(): Promise<void> {
    return this.#until(() => this.#uploads === 0);
  }

  #until(isOver: () => boolean): Promise<void> {
    this.keep();
    if (isOver()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ isOver, resolve }));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = waiting.filter(({ isOver }) => !isOver());
    for (const { isOver, resolve } of waiting) {
      if (isOver()) resolve();
    }
  }
}
