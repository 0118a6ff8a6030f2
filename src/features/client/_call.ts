import { essence, isJson, isReadWhole } from "../../text/media_type.ts";
import { requestOf } from "./_request.ts";
import { ProblemError, TimeoutError } from "./errors.ts";
import type { CallOptions, ClientOptions, OperationContract } from "./types.ts";

export interface Service {
  readonly base: string;
  readonly options: ClientOptions;
}

export type Reader<T> = (label: string, response: Response) => Promise<T>;

export async function call<T>(
  { base, options }: Service,
  operation: OperationContract,
  values: readonly unknown[],
  own: CallOptions,
  read: Reader<T>,
): Promise<T> {
  const label = labelOf(operation);
  const { timeout, retry, signal: given } = { ...options, ...own };
  const send = options.fetch ?? ((request: Request) => fetch(request));
  const { url, ...init } = await requestOf(base, operation, values, new Headers(options.headers));
  for (const [name, value] of new Headers(own.headers)) init.headers.set(name, value);
  return await withinTime(label, timeout, given, async (signal) => {
    const attempt = async () =>
      await read(label, await send(new Request(url, { ...init, signal } as RequestInit)));
    if (!retry || !isRepeatable(init.method, init.headers, init.duplex)) return await attempt();
    const { repeat } = await import("./_retry.ts");
    return await repeat(attempt, retry, signal);
  });
}

export function labelOf({ method, path }: OperationContract): string {
  return `${method} ${path}`;
}

/** A stream can be sent once; a method that is not idempotent (RFC 9110, 9.2.2) needs a key. */
function isRepeatable(method: string, headers: Headers, duplex?: string): boolean {
  if (duplex !== undefined) return false;
  return /^(?:GET|HEAD|PUT|DELETE)$/.test(method) || headers.has("idempotency-key");
}

/** Unlike `AbortSignal.timeout()`, it does not interrupt a body that is read after the call. */
async function withinTime<T>(
  label: string,
  timeout: number | undefined,
  given: AbortSignal | undefined,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (timeout === undefined) return await work(given);
  if (!(timeout > 0 && timeout < 2 ** 31)) {
    throw new RangeError(
      `Cannot call ${label}: expected a timeout from 1 to ${2 ** 31 - 1} ms, found ${timeout}`,
    );
  }
  const controller = new AbortController();
  const abort = () => controller.abort(new TimeoutError(label, timeout));
  const timer = setTimeout(abort, timeout);
  const { signal } = controller;
  try {
    return await work(given ? AbortSignal.any([given, signal]) : signal);
  } finally {
    clearTimeout(timer);
  }
}

/** The value of an answer; the response itself where it is a stream or bytes. @throws {ProblemError} for an error */
export async function readValue(label: string, response: Response): Promise<unknown> {
  if (!response.ok) throw await readProblem(label, response);
  const type = typeOf(response);
  return type === "" || isReadWhole(type) ? await readWhole(response) : response;
}

/** The response, unread. @throws {ProblemError} for an error */
export async function readResponse(label: string, response: Response): Promise<Response> {
  if (response.status >= 400) throw await readProblem(label, response);
  return response;
}

async function readProblem(label: string, response: Response): Promise<ProblemError> {
  return new ProblemError(label, response, await readWhole(response));
}

async function readWhole(response: Response): Promise<unknown> {
  const text = await response.text();
  const type = typeOf(response);
  if (text === "" && (type === "" || isJson(type))) return undefined;
  try {
    return isJson(type) ? JSON.parse(text) : text;
  } catch {
    return text; // Proxies send text with a JSON content type.
  }
}

function typeOf({ headers }: Response): string {
  return essence(headers.get("content-type") ?? "");
}
