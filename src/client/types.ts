import type { HttpRequest, ResponseEntity } from "../http/mod.ts";

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
  /** Of the request. */
  readonly method: string;
  /** With its variables in braces: `/users/{id}`. */
  readonly path: string;
  /** In the order of the method's parameters. */
  readonly parameters: readonly ParameterContract[];
  /** Sent with every request: the version of the API, where a header says it. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The problems that it declares. */
  readonly problems?: readonly DeclaredProblem[];
  /** Only for the compiler: never there at run time. */
  readonly "~types"?: OperationTypes;
}

/** What identifies a declared problem. */
export interface DeclaredProblem {
  /** Code of the status. */
  readonly status: number;
  /** A URI; `about:blank` where the status says it all. */
  readonly type: string;
}

/** What is on the wire, as the module says that `irori contract` writes. */
export interface OperationTypes {
  /** What is sent. */
  readonly arguments: unknown[];
  /** What arrives. */
  readonly result: unknown;
  /** A union of the declared problems. */
  readonly problem: unknown;
}

/** The operations of a contract as methods, typed by what is on the wire. */
export type ContractClient<C> = {
  readonly [K in keyof C]: TypesOf<C[K]> extends
    { arguments: infer A extends unknown[]; result: infer R; problem: infer P }
    ? ClientMethod<A, R, P>
    : ClientMethod<unknown[], unknown, never>;
};

/** What an operation of a contract says of what is on the wire. */
export type TypesOf<O> = O extends { readonly "~types"?: infer T } ? NonNullable<T> : unknown;

/** Sends a request, and resolves to what arrives. */
export interface ClientMethod<A extends unknown[], R, P> {
  (...parameters: A): Promise<R>;
  /** Only for the compiler: never there at run time. */
  readonly "~problem"?: P;
}

/** Where one parameter is sent. */
export interface ParameterContract {
  /** `path query header cookie body form part`, or `custom`, which is not sent. */
  readonly in: string;
  /** Of the variable, parameter, header, cookie, field or part; absent for a whole body. */
  readonly name?: string;
}

/**
 * The methods of a controller as a client calls them: what their parameters send, and what arrives of what they
 * return once it was JSON.
 */
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

/** An instance as the data it holds, without its methods; what says by itself how it is sent, as that. */
export type Sent<T> = T extends AnyMethod ? never
  : "~sent" extends keyof T ? NonNullable<T["~sent"]>
  : T extends Primitive | Date | Blob | readonly unknown[] ? T
  : T extends object ? { [K in keyof T as T[K] extends AnyMethod ? never : K]: T[K] }
  : T;

/** What arrives; `unknown` where the method makes the response itself, the response where it gives a stream or bytes. */
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
