import { errorOf } from "../../../text/mod.ts";
import { ConnectionError, type SignedRequest, type Signer } from "../../runner/mod.ts";
import { backOffMs, pause, readRetryAfter } from "../../../runtime/retry.ts";
import { type HttpClient, PackageNotFoundError } from "../../../runtime/mod.ts";
import {
  type Answer,
  describeFailure,
  hasNoHandler,
  isBlocked,
  isBusy,
  isPartlyDone,
  isReserved,
} from "./answer.ts";
import { isObject, valueOf } from "../json/json_values.ts";
import { redactor } from "./redactor.ts";
import { requestName } from "./request.ts";
import type { SearchConnection, SearchRequest } from "../types.ts";

interface SendOptions {
  readonly repeatSafe: boolean;
  /** Whether the caller has to know each time it was sent: then the runtime must not send it again. @default false */
  readonly once?: boolean;
  /** How often it is sent to a cluster that says it is busy. @default 5 */
  readonly tries?: number;
  /** Whether the caller can go on without the right; otherwise 403 is thrown. @default false */
  readonly mayBeForbidden?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export class TransportError extends ConnectionError {
  constructor(
    connection: string,
    message: string,
    readonly mayHaveArrived: boolean,
    options?: ConstructorParameters<typeof ConnectionError>[2],
  ) {
    super(connection, message, options);
  }
}

const TRIES = 5;

export type Asking = Pick<Cluster, "ask">;

/**
 * Sends requests to one cluster. Hosts are tried in order when one gives no answer (reference 4.4 rule 9), and the last
 * good one is remembered; a request that may have been received is sent again only when that does no harm.
 */
export class Cluster {
  readonly name: string;
  readonly #connection: SearchConnection;
  readonly #client: HttpClient;
  readonly #signer: Signer | undefined;
  readonly #redact: (text: string) => string;
  readonly #reached = new Set<string>();
  requests = 0;
  #host = 0;

  constructor(connection: SearchConnection, client: HttpClient, signer?: Signer) {
    this.name = connection.name;
    this.#connection = connection;
    this.#client = client;
    this.#signer = signer;
    this.#redact = redactor(connection);
  }

  redact(text: string): string {
    return this.#redact(this.#signer?.redact(text) ?? text);
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /** The cluster's answer, whatever its status but 401 and 403. @throws {TransportError} */
  async send(request: SearchRequest, options: SendOptions): Promise<Answer> {
    const { repeatSafe, signal, tries = TRIES } = options;
    const deadline = performance.now() + this.#connection.timeoutMs * 2;
    let repeated = false;
    for (let attempt = 1;; attempt++) {
      const received = await this.#failover(request, options, repeated);
      repeated ||= received.repeated === true;
      const answer: Answer = { ...received, ...(repeated && { repeated }) };
      if (isBlocked(answer) || isReserved(answer) || isPartlyDone(answer)) return answer;
      this.#checkRights(answer, options);
      const isLost = !isBusy(answer);
      if (isLost && ![502, 503, 504].includes(answer.status)) return answer;
      // A proxy may have passed the request on before it gave up.
      if (isLost && !repeatSafe) {
        const message = `${answer.host} does not say whether it applied ${requestName(request)}: ` +
          `${describeFailure(answer)}; it may have been received, so it is not sent again`;
        throw this.#error(message, true);
      }
      // A proxy may report busy after it has passed the request on; where repeating does harm, the answer is trusted.
      repeated ||= isLost || repeatSafe;
      const wait = answer.retryAfterMs ?? backOffMs(attempt);
      if (attempt >= tries || performance.now() + wait > deadline) return answer;
      if (answer.status >= 500) this.#host++;
      await pause(wait, signal);
    }
  }

  /** Sends a request that does no harm when it is repeated; the caller can go on without the right to it. */
  ask(request: SearchRequest): Promise<Answer> {
    return this.send(request, { repeatSafe: true, mayBeForbidden: true });
  }

  /** Reads something, or that it does not exist. @throws {TransportError} for any other answer, too */
  async read(request: SearchRequest): Promise<Answer> {
    const answer = await this.sendToPlugin(request, { repeatSafe: true });
    const { status, json } = answer;
    // Simulations are POST, and clusters reject some of them.
    const isRead = request.method === "GET" ? status === 200 && isObject(json) : status < 500;
    if (isRead || status === 404 || hasNoHandler(answer)) return answer;
    const message = `${answer.host} refused ${requestName(request)}: ${describeFailure(answer)}`;
    throw this.#error(message, false);
  }

  /** As {@linkcode send}, to a plugin of OpenSearch; Open Distro and early versions have it at another path. */
  async sendToPlugin(request: SearchRequest, options: SendOptions): Promise<Answer> {
    const answer = await this.send(request, options);
    const path = request.path.replace("/_plugins/", "/_opendistro/");
    if (!hasNoHandler(answer) || path === request.path) return answer;
    const old = await this.send({ ...request, path }, options);
    return hasNoHandler(old) ? answer : old;
  }

  async #failover(
    request: SearchRequest,
    { repeatSafe, once = false }: SendOptions,
    wasSent: boolean,
  ): Promise<Answer> {
    const { hosts } = this.#connection;
    const reasons: string[] = [];
    let isRepeated = false;
    // A broken connection may have been an idle one of the pool, so such hosts get a second chance.
    let chances = hosts.length;
    for (let tried = 0; tried < chances; tried++) {
      const index = (this.#host + tried) % hosts.length;
      const host = hosts[index]!;
      const unreachable = await this.#probe(host, once);
      if (unreachable !== undefined) {
        reasons.push(`${host} (${unreachable})`);
        continue;
      }
      const prepared = await this.#prepare(host, request, wasSent || isRepeated);
      try {
        const answer = await this.#exchange(host, request, prepared, once);
        this.#host = index;
        return { ...answer, ...(isRepeated && { repeated: true }) };
      } catch (cause) {
        if (cause instanceof PackageNotFoundError) throw cause;
        this.#reached.delete(host);
        isRepeated = true;
        if (tried < hosts.length && !isTimeout(cause)) chances++;
        const reason = `${host} (${noAnswer(cause, this.#connection.timeoutMs)})`;
        reasons.push(reason);
        if (repeatSafe) continue;
        const message = `No answer to ${requestName(request)} from ${reason}; ` +
          "it may have been received, so it is not sent again";
        throw this.#error(message, true, { cause });
      }
    }
    const message = `No host answers ${requestName(request)}: ${[...new Set(reasons)].join(", ")}`;
    throw this.#error(message + tlsHint(message), wasSent || isRepeated);
  }

  /** Connects once before the first request to a host, and before each request that must not be sent twice. */
  async #probe(host: string, once: boolean): Promise<string | undefined> {
    if (!once && this.#reached.has(host)) return undefined;
    try {
      await this.#client.probe(host, this.#connection.connectTimeoutMs);
      this.#reached.add(host);
    } catch (error) {
      return errorOf(error).message;
    }
  }

  /** Signs for one attempt at one host, because a signature contains the host and expires soon. */
  async #prepare(
    host: string,
    { method, path, body, contentType }: SearchRequest,
    mayHaveArrived: boolean,
  ): Promise<SignedRequest> {
    const { authorization } = this.#connection;
    const headers = {
      ...(authorization !== undefined && { Authorization: authorization }),
      ...(body !== undefined && { "Content-Type": contentType ?? "application/json" }),
    };
    const url = host + path;
    if (this.#signer === undefined) return { url, headers };
    try {
      return await this.#signer.sign({ method, url, headers, body });
    } catch (cause) {
      throw this.#error(errorOf(cause).message, mayHaveArrived, { cause });
    }
  }

  async #exchange(
    host: string,
    { method, body, opaqueId }: SearchRequest,
    { url, headers }: SignedRequest,
    once: boolean,
  ): Promise<Answer> {
    const { timeoutMs } = this.#connection;
    this.requests++;
    const response = await this.#client.fetch(url, {
      method,
      headers: {
        Accept: "application/json",
        ...headers,
        ...(opaqueId !== undefined && { "X-Opaque-Id": opaqueId }),
      },
      ...(body !== undefined && { body }),
      // Credentials go to the configured hosts and nowhere else.
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    }, { once });
    const text = await response.text();
    const retryAfterMs = readRetryAfter(response.headers.get("Retry-After"));
    return {
      status: response.status,
      text,
      json: valueOf(text),
      host,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  }

  #checkRights(answer: Answer, { mayBeForbidden = false }: SendOptions): void {
    if (answer.status !== 401 && answer.status !== 403) return;
    if (mayBeForbidden && (answer.status === 403 || hasNoHandler(answer))) return;
    const what = answer.status === 401 ? "does not accept the credentials" : "does not allow this";
    const reason = describeFailure(answer);
    const because = this.#signer?.explain(reason);
    const message = `${answer.host} ${what}: ${reason}` + (because ? ` (${because})` : "");
    throw this.#error(message, answer.repeated === true, { refused: true });
  }

  #error(
    message: string,
    mayHaveArrived: boolean,
    options?: ConstructorParameters<typeof ConnectionError>[2],
  ): TransportError {
    return new TransportError(this.name, this.redact(message), mayHaveArrived, options);
  }
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof Error && cause.name === "TimeoutError";
}

function noAnswer(cause: unknown, timeoutMs: number): string {
  if (!(cause instanceof Error)) return String(cause);
  if (isTimeout(cause)) return `no answer within ${timeoutMs / 1000} s`;
  const inner = cause.cause instanceof Error ? cause.cause.message : cause.message;
  // Runtimes repeat the URL, which the message has already; Bun adds advice about its own function.
  return inner.replace(
    / ?\(?https?:\/\/[^\s)]+\)?:?| (?:For more information, pass|Is the computer able) .*$/gs,
    "",
  ).trim();
}

function tlsHint(message: string): string {
  if (PLAIN_ANSWER.test(message)) return "; the server may speak http, not https";
  if (UNKNOWN_AUTHORITY.test(message)) return "; 'ca_cert' names an authority to trust";
  return "";
}

/** How Deno's and OpenSSL's TLS describe a response that is not TLS. */
const PLAIN_ANSWER = /InvalidContentType|wrong version number|packet length too long/;

/** How they describe a certificate of an authority that is not trusted. */
const UNKNOWN_AUTHORITY = /UnknownIssuer|self.signed certificate|unable to (?:verify|get) /;
