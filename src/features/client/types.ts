import type { HttpRequest, ResponseEntity } from "../../http/mod.ts";

/** How each method of one controller is called over HTTP, as data: what `irori contract` writes. */
export interface ControllerContract {
  /** By name of the method. */
  readonly [handler: string]: OperationContract;
}

/** The contracts of an application, by name of the controller's class. */
export interface ApiContract {
  /** By name of the class. */
  readonly [controller: string]: ControllerContract;
}

/** How one method is called. */
export interface OperationContract {
  /** The method of the request. */
  readonly method: string;
  /** With its variables in braces: `/users/{id}`. */
  readonly path: string;
  /** In the order of the method's parameters. */
  readonly parameters: readonly ParameterContract[];
  /** Sent with every request: the version of the API, where a header says it. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The problems that it declares. */
  readonly problems?: readonly DeclaredProblem[];
  /** Whether it answers with server-sent events. */
  readonly events?: true;
  /** For the compiler only; absent at run time. */
  readonly "~types"?: OperationTypes;
}

/** The identity of a declared problem. */
export interface DeclaredProblem {
  /** Code of the status. */
  readonly status: number;
  /** A URI; `about:blank` where the status says it all, absent where the body has a shape of its own. */
  readonly type?: string;
}

/** The types on the wire, as in the module that `irori contract` writes. */
export interface OperationTypes {
  /** The types that the client sends, by name. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The type that arrives. */
  readonly result: unknown;
  /** A union of the declared problems. */
  readonly problem: unknown;
}

/** The controllers of a contract: `OrderController` is `order`. */
export type ApiClient<C extends ApiContract> = {
  readonly [K in keyof C & string as ClientName<K>]: ContractClient<C[K]>;
};

/** The name of a controller's class without `Controller`, with a lowercase first letter. */
export type ClientName<N extends string> = string extends N ? string
  : Uncapitalize<N extends `${infer First}${infer Rest}Controller` ? `${First}${Rest}` : N>;

/** The operations of a controller as methods, typed by what is on the wire. */
export type ContractClient<C extends ControllerContract> = {
  readonly [K in keyof C]: OperationMethod<C[K], NonNullable<C[K]["~types"]>>;
};

/** An operation as a method; one with server-sent events returns an iterable of them. */
export type OperationMethod<O, T extends OperationTypes> = ClientMethod<
  T["arguments"],
  T["result"],
  T["problem"],
  O extends { readonly events: true } ? AsyncIterable<ReceivedEvent> : Promise<T["result"]>
>;

/** Sends a request with named arguments. */
export interface ClientMethod<A, R, P, Returned = Promise<R>> {
  /** Resolves to the value, or to the unread response of a stream or bytes; iterates over events. */
  (...parameters: CallParameters<A>): Returned;
  /**
   * Resolves to the response once its headers have arrived. Its body is unread: not subject to `timeout` and `retry`.
   *
   * @throws {ProblemError} for a status from 400
   */
  response(...parameters: CallParameters<A>): Promise<ClientResponse<R>>;
  /** For the compiler only; absent at run time. */
  readonly "~problem"?: P;
}

/** The arguments may be left out where none is required. */
export type CallParameters<A> = Record<never, never> extends A ? [args?: A, options?: CallOptions]
  : [args: A, options?: CallOptions];

/** A response with a typed body. */
export interface ClientResponse<R> extends Response {
  /** Reads the body. */
  json(): Promise<Exclude<R, Response | string | undefined>>;
}

/** One server-sent event (WHATWG HTML, 9.2). */
export interface ReceivedEvent {
  /** `message` where the server names none. */
  readonly type: string;
  /** As sent: texts as they are, other values as JSON. */
  readonly data: string;
  /** The id of this event or of the last one before it that has an id; else empty. */
  readonly lastEventId: string;
}

/** Options of one call. */
export interface CallOptions {
  /** Sent with the request, in place of other headers of the same names. */
  readonly headers?: HeadersInit;
  /** Aborts the call, and the reading of its body. Its reason is thrown. */
  readonly signal?: AbortSignal;
  /** Milliseconds that the call may take, with its retries; an unread body is not part of it. @default no limit */
  readonly timeout?: number;
  /** When a request is sent again. @default never */
  readonly retry?: RetryOptions;
}

/** Options of a client: those of each call, unless the call has its own. */
export interface ClientOptions extends Omit<CallOptions, "signal"> {
  /** Sends requests. @default the global `fetch` */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * When a request is sent again: after a network error or the status 408, 429, 502, 503 or 504, if its method is GET, HEAD,
 * PUT or DELETE or it has an `Idempotency-Key`, and its body is no stream. A call without a key gets a new one where the
 * handler takes it.
 */
export interface RetryOptions {
  /** How often a request is sent at most. */
  readonly attempts: number;
  /** Milliseconds before the second attempt, with a jitter of half; doubled for each further one. @default 200 */
  readonly delay?: number;
  /** The longest wait in milliseconds; after a longer `Retry-After` nothing is sent again. @default 30_000 */
  readonly maxDelay?: number;
}

/** Where one parameter is sent. */
export interface ParameterContract {
  /** `path query header cookie body raw multipart form part`, or `custom`, which is not sent. */
  readonly in: string;
  /** The name of the variable, parameter, header, cookie, field or part; absent for a whole body. */
  readonly name?: string;
  /** The name of the argument where it is another one. */
  readonly as?: string;
  /** The names of several query parameters that one parameter of the method takes. */
  readonly names?: readonly string[];
}

/** The methods of a controller as a client calls them, with results as they come from JSON. */
export type Client<T> = {
  readonly [K in keyof T as T[K] extends AnyMethod ? K : never]: T[K] extends AnyMethod
    ? (...args: ArgumentsOf<Parameters<T[K]>>) => Promise<ResultOf<ReturnType<T[K]>>>
    : never;
};

/** Any method. */
export type AnyMethod = (...args: never[]) => unknown;

/** Without the request that a handler may take at the end; what may be missing at the end may be left out. */
export type ArgumentsOf<P extends unknown[]> = OptionalEnd<
  P extends [...infer Sent, HttpRequest] ? Sent : P
>;

/** The parameters, sent as data; those at the end that take `undefined` may be left out. */
export type OptionalEnd<P extends unknown[]> = P extends [...infer Before, infer Last]
  ? undefined extends Last ? [...OptionalEnd<Before>, Sent<Last>?] : SentAll<P>
  : SentAll<P>;

/** Each parameter, sent as data. */
export type SentAll<P extends unknown[]> = { [I in keyof P]: Sent<P[I]> };

/** The type that the client sends for a type: the data of an instance without its methods, or the type of `~sent`. */
export type Sent<T> = T extends AnyMethod ? never
  : "~sent" extends keyof T ? NonNullable<T["~sent"]>
  : T extends Primitive | Date | Blob | readonly unknown[] ? T
  : T extends object ? { [K in keyof T as T[K] extends AnyMethod ? never : K]: T[K] }
  : T;

/** The type that arrives; `unknown` where the method makes the response, the response where it gives a stream or bytes. */
export type ResultOf<R> = [Known<Awaited<R>>] extends [never] ? unknown : Known<Awaited<R>>;

/** Leaves out responses whose body the compiler does not know. */
export type Known<R> = R extends Response ? never
  : R extends ResponseEntity<infer B> ? unknown extends B ? never : Json<B>
  : R extends void ? undefined
  : Json<R>;

/** A value after it was written as JSON and read again. */
export type Json<T> = unknown extends T ? unknown
  : T extends Unread ? Response
  : T extends Exclude<Primitive, bigint> ? T
  : T extends bigint ? number | string
  : T extends { toJSON(): infer J } ? J
  : T extends readonly (infer E)[] ? Json<E>[]
  : T extends object ? { [K in keyof T as T[K] extends AnyMethod ? never : K]: Json<T[K]> }
  : never;

/** Bodies that a client may not want to wait for, or to hold as a whole. */
export type Unread = AsyncIterable<unknown> | ArrayBuffer | ArrayBufferView | Blob;

/** Values that are no objects. */
export type Primitive = string | number | boolean | bigint | null | undefined;
