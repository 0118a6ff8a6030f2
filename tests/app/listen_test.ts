import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { bootstrap, Component, GetMapping, PreDestroy, RestController } from "../../mod.ts";
import { runFixture } from "./process.ts";

const RUN = ["run", "-A", "--no-check"];

/** Something that one part of a test waits for and another lets happen. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

Deno.test("listen() + says where it listens, how many routes there are and how long it took", async () => {
  await using running = runFixture(RUN, "main.ts");
  const [, port, routes] = await running.line(
    /^Listening on http:\/\/127\.0\.0\.1:(\d+) \((\d+) routes, \d+ ms\)$/,
  );
  assertEquals(routes, "4");
  const [, url] = await running.line(/^url (.*)$/);
  assertEquals(url, `http://127.0.0.1:${port}`);
  assertEquals(await (await fetch(`${url}/greetings/Ada`)).text(), "Hello Ada");
});

Deno.test("listen() + takes its settings from the environment by relaxed names", async () => {
  await using running = runFixture(RUN, "main.ts", {
    SERVER_CONTEXTPATH: "/api",
    GREETING: "Salut",
  });
  const [, url] = await running.line(/^url (.*)$/);
  assertEquals(await (await fetch(`${url}/api/greetings/Ada`)).text(), "Salut Ada");
});

Deno.test("SIGTERM + finishes what is in flight, then closes beans in reverse, then ends with 0", async () => {
  await using running = runFixture(RUN, "main.ts");
  const [, url] = await running.line(/^url (.*)$/);
  const slow = fetch(`${url}/slow`);
  await running.line(/^slow is reached$/);
  running.kill("SIGTERM");
  assertEquals(await (await slow).text(), "slow but finished");
  const { code, lines } = await running.ended();
  assertEquals(code, 0);
  assertEquals(lines.slice(-2), ["controller is closed", "service is closed"]);
});

Deno.test("SIGINT + ends an idle application with 0", async () => {
  await using running = runFixture(RUN, "main.ts");
  await running.line(/^url /);
  running.kill("SIGINT");
  assertEquals((await running.ended()).code, 0);
});

Deno.test("SIGTERM + gives up on what does not end in time", async () => {
  await using running = runFixture(RUN, "main.ts", { SERVER_SHUTDOWNTIMEOUT: "0" });
  const [, url] = await running.line(/^url (.*)$/);
  const stuck = fetch(`${url}/stuck`).then((response) => response.status, () => "cut off");
  await running.line(/^stuck is reached$/);
  running.kill("SIGTERM");
  const { code, lines } = await running.ended();
  assertEquals(code, 1);
  assertEquals(lines.includes("service is closed"), true);
  assertStringIncludes(
    await running.errors(),
    "Gave up waiting after 0 s for 1 request in flight",
  );
  assertEquals(await stuck, "cut off");
});

Deno.test("SIGTERM + ends with 0 and without a word where nothing has to be waited for", async () => {
  await using running = runFixture(RUN, "main.ts", { SERVER_SHUTDOWNTIMEOUT: "0" });
  const [, url] = await running.line(/^url (.*)$/);
  await (await fetch(`${url}/greetings/Ada`)).text();
  running.kill("SIGTERM");
  assertEquals((await running.ended()).code, 0);
  assertEquals(await running.errors(), "");
});

Deno.test("SIGTERM + a second one does not wait", async () => {
  await using running = runFixture(RUN, "main.ts", { SERVER_SHUTDOWNTIMEOUT: "600" });
  const [, url] = await running.line(/^url (.*)$/);
  const stuck = fetch(`${url}/stuck`).then((response) => response.status, () => "cut off");
  await running.line(/^stuck is reached$/);
  running.kill("SIGTERM");
  running.kill("SIGINT");
  assertEquals((await running.ended()).code, 1);
  assertEquals(await stuck, "cut off");
});

Deno.test("export default app + is served by 'deno serve'", async () => {
  const args = ["serve", "-A", "--no-check", "--host=127.0.0.1", "--port=0"];
  await using running = runFixture(args, "served.ts", { NO_COLOR: "1" }, "stderr");
  const [url] = await running.line(/http:\/\/127\.0\.0\.1:\d+/);
  assertEquals(await (await fetch(new URL("/greetings/Ada", url))).text(), "Hello Ada");
});

Deno.test("listen() + says which address is taken", async () => {
  const taken = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  try {
    const { port } = taken.addr as Deno.NetAddr;
    await using app = await bootstrap({ config: { server: { port, address: "127.0.0.1" } } });
    const error = await assertRejects(() => app.listen());
    assertMatch((error as Error).message, new RegExp(`127\\.0\\.0\\.1:${port}`));
  } finally {
    taken.close();
  }
});

Deno.test("close() + waits for a body that is being sent, refuses new requests, then closes beans", async () => {
  const order: string[] = [];
  const next = gate();
  const started = gate();
  @RestController()
  class Streams {
    @GetMapping("/parts")
    parts() {
      return ReadableStream.from(this.texts()).pipeThrough(new TextEncoderStream());
    }
    async *texts() {
      yield "first ";
      started.open();
      await next.opened;
      order.push("last part");
      yield "last";
    }
    @PreDestroy()
    stop() {
      order.push("bean closed");
    }
  }
  const app = await bootstrap({
    components: [Streams],
    config: { server: { port: 0, address: "127.0.0.1" } },
  });
  const { url } = await app.listen();
  const response = await fetch(`${url}/parts`);
  await started.opened;
  const closing = app.close();
  assertEquals(app.close(), closing);
  next.open();
  assertEquals(await response.text(), "first last");
  await closing;
  assertEquals(order, ["last part", "bean closed"]);
  await assertRejects(() => fetch(`${url}/parts`));
  await assertRejects(() => app.listen(), Error, "Cannot listen: the application was closed");
});

Deno.test("close() + without listen() closes the beans, once", async () => {
  let closed = 0;
  @Component()
  class One {
    @PreDestroy()
    stop() {
      closed++;
    }
  }
  const app = await bootstrap({ components: [One] });
  await app.close();
  await app.close();
  assertEquals(closed, 1);
});
