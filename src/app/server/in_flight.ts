import { clientLeft, GoingAway, isCancellable } from "../../http/mod.ts";
import { mayHaveBody, streamedResponse } from "../../runtime/web.ts";
import { isEventStream } from "../../text/mod.ts";
import { Link, Ring } from "./ring.ts";
import { SentStream } from "./sent_stream.ts";

/** The requests that have no complete answer yet: a shutdown waits for them, and cuts them when its time is over. */
export class InFlight {
  readonly #tracked = new Ring<Tracked>();
  #count = 0;
  /** The request that is being dispatched: most are answered before other code asks for them. */
  #current?: Request;
  #uploads = 0;
  /** Requests of the lane that wait: only their number is needed. */
  #lane = 0;
  #isCut = false;
  #waiting: { readonly isOver: () => boolean; readonly resolve: () => void }[] = [];

  get count(): number {
    return this.#count + this.#lane + (this.#current === undefined ? 0 : 1);
  }

  begin(request: Request): void {
    this.keep();
    this.#current = request;
  }

  keep(): void {
    const request = this.#current;
    if (request === undefined) return;
    this.#current = undefined;
    this.enter(request);
  }

  beginOnLane(isUpload: boolean): void {
    this.#lane++;
    if (isUpload) this.#uploads++;
  }

  endOnLane(isUpload: boolean): void {
    this.#lane--;
    if (isUpload) this.#uploads--;
    if (this.#waiting.length > 0) this.#wake();
  }

  enter(request: Request): void {
    this.#add(request);
    if (mayHaveBody(request.method)) this.#uploads++;
    // One of the lane, which had no signal to abort then.
    if (this.#isCut) this.controllerOf(request)?.abort(new GoingAway());
  }

  answered(request: Request): void {
    if (request === this.#current || !mayHaveBody(request.method)) return;
    this.#uploads--;
    if (this.#waiting.length > 0) this.#wake();
  }

  leave(request: Request): void {
    if (request === this.#current) {
      this.#current = undefined;
      return;
    }
    const tracked = this.#trackedOf(request);
    if (tracked === undefined) return;
    tracked.unlink();
    (request as TrackedRequest)[TRACKED] = undefined;
    this.#count--;
    if (this.#waiting.length > 0) this.#wake();
  }

  controllerOf(request: Request): AbortController | undefined {
    if (request === this.#current) this.keep();
    const tracked = this.#trackedOf(request);
    return tracked && (tracked.controller ??= new AbortController());
  }

  isAsked(request: Request): boolean {
    return this.#trackedOf(request)?.controller !== undefined;
  }

  track(request: Request, response: Response, failed: (error: unknown) => void): Response {
    const { body } = response;
    if (body === null) {
      this.leave(request);
      return response;
    }
    if (request === this.#current) {
      this.#current = undefined;
      this.#add(request);
    }
    const unwanted = () => this.controllerOf(request)?.abort(clientLeft());
    const stream = new SentStream(body, failed, unwanted, () => {
      clearTimeout(this.#trackedOf(request)?.ending);
      this.leave(request);
    }, isCancellable(response));
    const tracked = this.#trackedOf(request);
    if (tracked !== undefined) {
      tracked.stream = stream;
      tracked.isEvents = isEventStream(response.headers.get("content-type"));
    }
    return streamedResponse(stream.readable, response);
  }

  /** Requests count for `milliseconds` more, as a generator that sleeps ends only when it wakes up. */
  endEvents(milliseconds: number): void {
    for (const tracked of this.#tracked) {
      const { request, controller, stream, isEvents, ending } = tracked;
      if (!isEvents || ending !== undefined) continue;
      controller?.abort(new GoingAway());
      tracked.ending = setTimeout(() => this.leave(request), milliseconds);
      stream?.end();
    }
  }

  cut(): void {
    this.#isCut = true;
    const all = [...this.#tracked];
    // All signals, also those not asked for: what fails from now on fails because of the shutdown.
    for (const { request } of all) this.controllerOf(request)?.abort(new GoingAway());
    for (const { stream } of all) stream?.cut();
  }

  idle(): Promise<void> {
    return this.#until(() => this.#count + this.#lane === 0);
  }

  uploaded(): Promise<void> {
    return this.#until(() => this.#uploads === 0);
  }

  #trackedOf(request: Request): Tracked | undefined {
    const tracked = (request as TrackedRequest)[TRACKED];
    return tracked?.owner === this ? tracked : undefined;
  }

  #add(request: Request): void {
    const tracked = new Tracked(this, request);
    (request as TrackedRequest)[TRACKED] = tracked;
    this.#tracked.add(tracked);
    this.#count++;
  }

  #until(isOver: () => boolean): Promise<void> {
    this.keep();
    if (isOver()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ isOver, resolve }));
  }

  #wake(): void {
    for (const { isOver, resolve } of this.#waiting) if (isOver()) resolve();
    this.#waiting = this.#waiting.filter(({ isOver }) => !isOver());
  }
}

class Tracked extends Link {
  controller?: AbortController;
  stream?: SentStream;
  isEvents = false;
  ending?: ReturnType<typeof setTimeout>;

  constructor(readonly owner: InFlight, readonly request: Request) {
    super();
  }
}

/** On the request itself: to look it up costs as much as all else. */
const TRACKED: unique symbol = Symbol("tracked");

interface TrackedRequest extends Request {
  [TRACKED]?: Tracked | undefined;
}
