import { Hono } from "hono";
import { assertEquals, assertStrictEquals } from "@std/assert";
import { ResponseCheck } from "../../src/app/server/response_check.ts";
import { Server } from "../../src/app/server/server.ts";
import { serverSettings } from "../../src/app/settings.ts";
import { Closer } from "../../src/container/_life_cycle.ts";
import type { ManagedContext } from "../../src/container/mod.ts";
import type { Serving } from "../../src/http/mod.ts";
import type { FetchHandler, Runtime } from "../../src/runtime/mod.ts";
import { createConfig } from "../../src/config/mod.ts";

/** A server whose requests come from nowhere, and what its application knows of it. */
async function served(
  dispatch: (request: Request, serving: Serving) => Promise<Response>,
): Promise<FetchHandler> {
  const serving: Serving = {};
  const log = () => {};
  const server = new Server({
    hono: new Hono(),
    trust: () => {},
    acceptsHost: () => true,
    checkPaths: () => {},
    dispatch: (request) => dispatch(request, serving),
    check: new ResponseCheck(log, () => false),
    context: { closer: new Closer() } as ManagedContext,
    routes: [],
    serving,
    config: createConfig({}),
    settings: serverSettings(createConfig({})),
    log,
    info: log,
    started: 0,
  });
  let handler!: FetchHandler;
  await server.start({
    serve: (given: FetchHandler) => {
      handler = given;
      return Promise.resolve({ port: 1, hostname: "" });
    },
    onTermination: () => () => {},
  } as unknown as Runtime);
  return handler;
}

Deno.test("Server + listens to the signal of a request once, however often it is asked for", async () => {
  let listeners = 0;
  const handler = await served(async (request, { signal }) => {
    await Promise.resolve();
    const { addEventListener } = request.signal;
    request.signal.addEventListener = function (this: AbortSignal, ...parameters: unknown[]) {
      listeners++;
      addEventListener.apply(this, parameters as never);
    };
    const first = signal?.(request);
    for (let time = 0; time < 10; time++) assertStrictEquals(signal?.(request), first);
    return new Response();
  });
  await handler(new Request("http://localhost/"), {});
  assertEquals(listeners, 1);
});
