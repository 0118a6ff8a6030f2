import { type Application, bootstrap, type BootstrapOptions } from "../app/mod.ts";

/** An application under test, with requests in short. */
export interface TestApplication extends Application {
  /** Sends a GET request. */
  get(path: string, headers?: HeadersInit): Promise<Response>;
  /** Sends a request with a JSON body. */
  send(method: string, path: string, body?: unknown, headers?: HeadersInit): Promise<Response>;
}

/**
 * Builds an application for a test. Requests reach it without a port; `await using` closes its beans.
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
 * @param options what `bootstrap` takes: with `root` the components are scanned as in production
 * @throws {Error} what `bootstrap` throws
 */
export async function testApplication(options: BootstrapOptions = {}): Promise<TestApplication> {
  const app = await bootstrap(options);
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
