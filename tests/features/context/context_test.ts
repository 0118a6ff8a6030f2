import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import type { Context, Next } from "hono";
import { requestId } from "hono/request-id";
import {
  bootstrap,
  GetMapping,
  type HttpRequest,
  PathVariable,
  RestController,
  Use,
} from "../../../mod.ts";
import { currentRequest, requestContext, withContext } from "../../../src/features/context/mod.ts";
import { contextConformance } from "../../conformance/context.ts";
import { ContextController, Deep, KEPT } from "../../runtimes/app/context_controller.ts";
import { appOf, logged } from "../../web/helpers.ts";

const extensions = [requestContext()];

Deno.test("requestContext() + concurrent requests never mix, in process and over a socket", async () => {
  const server = { port: 0, address: "127.0.0.1" };
  await using app = await appOf([ContextController, Deep], { config: { server }, extensions });
  assertEquals(KEPT, "yes");
  const client = (input: unknown, init?: RequestInit) => app.request(input as string, init);
  assertEquals(await contextConformance("", client as typeof fetch, 300), []);
  const { log } = console;
  console.log = () => {};
  const { url } = await app.listen().finally(() => console.log = log);
  assertEquals(await contextConformance(url), []);
});

Deno.test("currentRequest() + is there in middleware, binders, handlers, endpoints and for 404", async () => {
  const seen: unknown[] = [];
  const note = async (_: Context, next: Next) => {
    seen.push(currentRequest().path);
    await next();
    seen.push(currentRequest().path);
  };
  @RestController()
  class Page {
    @Use(note)
    @GetMapping("/pages/{id}", PathVariable("id"))
    page(id: string, request: HttpRequest) {
      assertStrictEquals(currentRequest(), currentRequest());
      const current = currentRequest();
      // The server's, not only that of the connection.
      assertStrictEquals(current.signal, request.signal);
      current.context.header("X-Prepared", "1");
      return [id, current.pathVariable("id"), current.clientAddress];
    }
  }
  await using app = await appOf([Page], {
    middleware: [note],
    extensions: [() => ({
      endpoints: [{
        method: "GET",
        path: "/extra",
        respond: () => new Response(currentRequest().path),
      }],
    }), ...extensions],
  });
  const response = await app.request("/pages/7");
  assertEquals(response.headers.get("X-Prepared"), "1");
  assertEquals(await response.json(), ["7", "7", null]);
  assertEquals(seen.splice(0), Array(4).fill("/pages/7"));
  assertEquals(await (await app.request("/extra")).text(), "/extra");
  assertEquals((await app.request("/nothing")).status, 404);
  assertEquals(seen, ["/extra", "/extra", "/nothing", "/nothing"]);
});

Deno.test("currentRequest() + outside of a request is an error that says why", async () => {
  await using _ = await appOf([], { extensions });
  const message =
    "Cannot give the current request: this does not run for a request, or for one of an application without requestContext()";
  assertThrows(currentRequest, Error, message);
  assertThrows(() => withContext({}), Error, "Cannot add to the log lines of a request");
  assertThrows(() => withContext({ a: 1 }, () => currentRequest()), Error, message);

  @RestController()
  class Page {
    @GetMapping("/")
    page() {
      return currentRequest().path;
    }
  }
  await using without = await appOf([Page]);
  const [[, error] = []] = await logged(() => without.request("/"));
  assertEquals((error as Error).message, message);
});

Deno.test("currentRequest() + without the extension names it", async () => {
  const code = `import { currentRequest, withContext } from "${new URL(
    "../../../src/features/context/mod.ts",
    import.meta.url,
  )}";
    console.log(withContext({ a: 1 }, () => 7));
    try { currentRequest(); } catch (error) { console.log(error.message); }`;
  assertEquals(
    await evaluate(code),
    "7\nCannot give the current request: no application has the extension requestContext()\n",
  );
});

Deno.test("requestContext() + is an error at startup without AsyncLocalStorage", async () => {
  const code = `process.getBuiltinModule = undefined;
    const { bootstrap } = await import("${new URL("../../../src/app/edge.ts", import.meta.url)}");
    const { requestContext } = await import("${new URL(
    "../../../src/features/context/mod.ts",
    import.meta.url,
  )}");
    await bootstrap({ extensions: [requestContext()] }).catch(({ message }) => console.log(message));`;
  assertEquals(
    await evaluate(code),
    "Cannot provide a request context: the runtime has no AsyncLocalStorage; on Cloudflare Workers set the " +
      "compatibility flag 'nodejs_compat', elsewhere leave out requestContext()\n",
  );
});

Deno.test("withContext() + takes an object alone, wherever it is called", () => {
  for (
    const [wrong, found] of [[null, "null"], [undefined, "undefined"], ["user", "string"], [
      7,
      "number",
    ], [["a"], "a list"]]
  ) {
    const message =
      `Cannot add fields to log lines: expected an object with named fields, found ${found}`;
    assertThrows(() => withContext(wrong as never, () => 7), TypeError, message);
    assertThrows(() => withContext(wrong as never), TypeError, message);
  }
  assertThrows(
    () => withContext({}, "no function" as never),
    TypeError,
    "Cannot add fields to log lines: expected a function as the action, found string",
  );
});

Deno.test("withContext() + facts are in what is logged, merged, without secrets", async () => {
  @RestController()
  class Page {
    @GetMapping("/fails")
    async fails(): Promise<never> {
      withContext({ user: 7, password: "s3cr3t", requestId: "made up" });
      await Promise.resolve();
      withContext({ tenant: "a b" });
      return await withContext(
        { step: 1, user: 8 },
        () =>
          withContext({ step: 2, nested: { token: "s3cr3t", id: 1 } }, async () => {
            await Promise.resolve();
            throw new Error("broken");
          }),
      );
    }

    @GetMapping("/events")
    async *events() {
      yield 1;
      await Promise.resolve();
      throw new Error("broken");
    }
  }
  const server = { port: 0, address: "127.0.0.1" };
  await using app = await appOf([Page], { config: { server }, extensions });
  const headers = { "X-Request-Id": "r-1" };
  const [[line] = []] = await logged(() => app.request("/fails", { headers }));
  assertEquals(line, 'Cannot answer GET /fails (request r-1) user=7 tenant="a b"');
  const { log } = console;
  console.log = () => {};
  const { url } = await app.listen().finally(() => console.log = log);
  const [[cut] = []] = await logged(async () => {
    await (await fetch(`${url}/events`, { headers })).text().catch(() => {});
  });
  assertEquals(cut, "Cannot send all of the answer to GET /events requestId=r-1");
});

Deno.test("withContext() + given by middleware is in what fails below it", async () => {
  class Tenant {
    handle(context: Context, next: Next) {
      return withContext({ tenant: context.req.query("tenant"), line: "a\nb" }, next);
    }
  }
  @RestController()
  class Page {
    @GetMapping("/fails")
    fails(): never {
      throw new Error("broken");
    }
  }
  await using app = await appOf([Page], {
    middleware: [requestId({ generator: () => "made" }), Tenant],
    extensions,
  });
  const lines = await logged(() =>
    Promise.all(["a", "b", "c"].map((name) => app.request(`/fails?tenant=${name}`)))
  );
  assertEquals(
    lines.map(([line]) => line),
    ["a", "b", "c"].map((name) =>
      `Cannot answer GET /fails (request made) tenant=${name} line="a\\nb"`
    ),
  );
});

Deno.test("the id of a request is one in its log lines and its answer", async () => {
  const ids = new Set<unknown>();
  @RestController()
  class Page {
    @GetMapping("/fails")
    fails(): never {
      throw new Error("broken");
    }
  }
  await using app = await bootstrap({
    components: [Page],
    extensions: [...extensions, () => ({ log: (message) => void ids.add(message) })],
  });
  const response = await app.request("/fails");
  assertEquals([...ids], [
    `Cannot answer GET /fails (request ${response.headers.get("X-Request-Id")})`,
  ]);
});

async function evaluate(code: string): Promise<string> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", code],
    cwd: new URL("../../..", import.meta.url),
  }).output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

Deno.test("withContext() + names of facts write no lines of their own", async () => {
  @RestController()
  class Pages {
    @GetMapping("/")
    fails() {
      withContext({ "a\nForged \u001b[31m": 1 });
      throw new Error("no");
    }
  }
  await using app = await appOf([Pages], { extensions });
  const [[line] = []] = await logged(() => app.request("/"));
  assertEquals(String(line).includes("a\\u000aForged \\u001b[31m=1"), true, String(line));
});
