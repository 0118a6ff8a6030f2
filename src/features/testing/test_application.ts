import type { Hono } from "hono";
import type { Application, BootstrapOptions } from "../../app/mod.ts";
import type { Type } from "../../container/mod.ts";
import { bootstrap } from "../bootstrap.ts";

/** An application under test, with shortcuts for requests. */
export interface TestApplication
  extends Omit<Application, Exclude<keyof Hono, "fetch" | "request">> {
  /** Sends a GET request. */
  get(path: string, headers?: HeadersInit): Promise<Response>;
  /** Sends a request with a JSON body. */
  send(method: string, path: string, body?: unknown, headers?: HeadersInit): Promise<Response>;
}

/** @internal A replacement for a bean in a test, with any of its public members; for a name, any value. */
type StandIn<B> = B extends Type<infer T> ? { readonly [M in keyof T]?: T[M] } : unknown;

/** @internal The options of `bootstrap`, with overrides that the compiler compares with their classes. */
type TestOptions<B extends readonly (string | Type<unknown>)[]> =
  & Omit<BootstrapOptions, "overrides">
  & {
    readonly overrides?:
      | { readonly [I in keyof B]: readonly [bean: B[I], instance: StandIn<B[I]>] }
      | ReadonlyMap<string | Type<unknown>, unknown>;
  };

/**
 * Creates an application for a test. Requests need no port, and `await using` closes its beans.
 *
 * ```ts ignore
 * await using app = await testApplication({
 *   components: [GreetingController, GreetingService],
 *   overrides: [[GreetingService, { greet: () => "Hello" }]],
 *   config: { greeting: "Hello" },
 * });
 * const response = await app.get("/greetings/Ada");
 * ```
 *
 * @param options those of `bootstrap`: with `root` the components are scanned as in production
 * @throws {Error} the errors of `bootstrap`
 */
export async function testApplication<
  const B extends readonly (string | Type<unknown>)[] = readonly [],
>(options: TestOptions<B> = {}): Promise<TestApplication> {
  const app = await bootstrap(options as BootstrapOptions);
  return {
    ...app,
    get: (path, headers) => app.request(path, { headers }),
    send: (method, path, body, headers) => {
      const all = new Headers(headers);
      if (body !== undefined && !all.has("content-type")) {
        all.set("content-type", "application/json");
      }
      const text = body === undefined ? undefined : JSON.stringify(body);
      return app.request(path, { method, headers: all, body: text });
    },
  };
}
