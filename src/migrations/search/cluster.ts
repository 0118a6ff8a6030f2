import { ConnectionError } from "../runner/mod.ts";
import type { HttpClient } from "../../runtime/mod.ts";
import { type Answer, describeFailure, isBlocked, parseJson } from "./answer.ts";
import { UncertainError } from "./errors.ts";
import type { SearchConnection, SearchRequest } from "./types.ts";

/** How a request may be sent more than once. */
export interface SendOptions {
  /** Whether a cluster that got the request twice is as if it got it once. */
  readonly repeatSafe: boolean;
  /** Whether the caller knows what to do without the right; otherwise 403 is thrown. @default false */
  readonly mayBeForbidden?: boolean;
}

interface Exchange {
  readonly answer: Answer;
  readonly retryAfterMs?: number;
}

const TRIES = 5;

/**
 * Sends requests to one cluster. Hosts are tried in order when one gives no answer (reference 4.4 rule 9), and the last
 * good one is remembered; a request that may have been received is sent again only when that does no harm.
 */
export class Cluster {
  readonly #connection: SearchConnection;
  readonly #client: HttpClient;
  /** Hosts whose address accepted a connection. */
  readonly #reached = new Set<string>();
  #host = 0;
  #requests = 0;

  constructor(connection: SearchConnection, client: HttpClient) {
    this.#connection = connection;
    this.#client = client;
  }

  /** HTTP requests sent so far. */
  get requests(): number {
    return this.#requests;
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /**
   * The cluster's answer, whatever its status but 401 and 403.
   *
   * @throws {ConnectionError} when no host answers, or the credentials are refused
   * @throws {UncertainError} when nobody can tell whether the cluster has done it
   */
  async send(request: SearchRequest, options: SendOptions): Promise<Answer> {
    const { repeatSafe, mayBeForbidden = false } = options;
    const deadline = performance.now() + this.#connection.timeoutMs * 2;
    let repeated = false;
    for (let attempt = 1;; attempt++) {
      const exchange = await this.#failover(request, repeatSafe);
      repeated ||= exchange.repeated;
      const answer: Answer = { ...exchange.answer, ...(repeated && { repeated }) };
      const { status } = answer;
      if (isBlocked(answer)) return answer;
      if (status === 401 || (status === 403 && !mayBeForbidden)) throw this.#refused(answer);
      const lost = status === 502 || status === 504;
      if (lost && !repeatSafe) throw this.#uncertain(request, answer);
      if (status !== 429 && status !== 503 && !lost) return answer;
      repeated ||= lost;
      const pause = exchange.retryAfterMs ?? backoff(attempt);
      if (attempt === TRIES || performance.now() + pause > deadline) return answer;
      await sleep(pause);
    }
  }

  async #failover(
    request: SearchRequest,
    repeatSafe: boolean,
  ): Promise<Exchange & { readonly repeated: boolean }> {
    const { hosts, name } = this.#connection;
    const reasons: string[] = [];
    let repeated = false;
    // A connection that breaks may have been an idle one of the pool: such hosts get a second chance.
    let chances = hosts.length;
    for (let tried = 0; tried < chances; tried++) {
      const index = (this.#host + tried) % hosts.length;
      const host = hosts[index]!;
      const unreachable = await this.#probe(host, repeatSafe);
      if (unreachable !== undefined) {
        reasons.push(`${host} (${unreachable})`);
        continue;
      }
      try {
        const result = await this.#exchange(host, request);
        this.#host = index;
        return { ...result, repeated };
      } catch (cause) {
        this.#reached.delete(host);
        repeated = true;
        if (tried < hosts.length && !isTimeout(cause)) chances++;
        const reason = `${host} (${reasonOf(cause, this.#connection.timeoutMs)})`;
        reasons.push(reason);
        if (repeatSafe) continue;
        const message = `No answer to ${nameOf(request)} from ${reason}; ` +
          "it may have been received, so it is not sent again";
        throw new UncertainError(name, message, { cause });
      }
    }
    const message = `No host answers ${nameOf(request)}: ${reasons.join(", ")}`;
    throw new ConnectionError(name, message);
  }

  /** Connects once before the first request to a host, and before each that must not be sent twice. */
  async #probe(host: string, repeatSafe: boolean): Promise<string | undefined> {
    if (repeatSafe && this.#reached.has(host)) return undefined;
    try {
      await this.#client.probe(host, this.#connection.connectTimeoutMs);
      this.#reached.add(host);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  async #exchange(
    host: string,
    { method, path, body, contentType }: SearchRequest,
  ): Promise<Exchange> {
    const { authorization, timeoutMs } = this.#connection;
    this.#requests++;
    const response = await this.#client.fetch(host + path, {
      method,
      headers: {
        Accept: "application/json",
        ...(authorization !== undefined && { Authorization: authorization }),
        ...(body !== undefined && { "Content-Type": contentType ?? "application/json" }),
      },
      ...(body !== undefined && { body }),
      // Credentials go to the configured hosts and nowhere else.
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    const retryAfterMs = readRetryAfter(response.headers.get("Retry-After"));
    return {
      answer: { status: response.status, text, json: parseJson(text), host },
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  }

  /** A proxy may have passed the request on before it gave up. */
  #uncertain(request: SearchRequest, answer: Answer): UncertainError {
    const message = `${answer.host} does not tell what became of ${nameOf(request)}: ` +
      `${describeFailure(answer)}; it may have been received, so it is not sent again`;
    return new UncertainError(this.#connection.name, message);
  }

  #refused(answer: Answer): ConnectionError {
    const what = answer.status === 401 ? "does not accept the credentials" : "does not allow this";
    const message = `${answer.host} ${what}: ${describeFailure(answer)}`;
    return new ConnectionError(this.#connection.name, message, { refused: true });
  }
}

/** How long to wait before the next try, in milliseconds: doubling, with jitter. */
export function backoff(attempt: number): number {
  return 100 * 2 ** attempt * (0.5 + Math.random());
}

/** Waits, in milliseconds. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** `Retry-After` in milliseconds: seconds or a date (RFC 9110, 10.2.3); `undefined` for anything else. */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Method and path without query, which may be as long as a body. */
function nameOf({ method, path }: SearchRequest): string {
  return `${method} ${path.split("?")[0]}`;
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof Error && cause.name === "TimeoutError";
}

function reasonOf(cause: unknown, timeoutMs: number): string {
  if (!(cause instanceof Error)) return String(cause);
  if (isTimeout(cause)) return `no answer within ${timeoutMs / 1000} s`;
  const inner = cause.cause instanceof Error ? cause.cause.message : cause.message;
  // Runtimes repeat the URL; it says nothing new.
  return inner.replace(/ ?\(?https?:\/\/[^\s)]+\)?:?/g, "").trim();
}
