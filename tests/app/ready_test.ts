import { assertEquals, assertRejects } from "@std/assert";
import {
  bootstrap,
  type BootstrapOptions,
  Component,
  GetMapping,
  OnReady,
  PostConstruct,
  PreDestroy,
  RestController,
} from "../../mod.ts";

const server = { port: 0, address: "127.0.0.1" };
const calls: string[] = [];
let url = "";

@RestController()
class Page {
  @PostConstruct()
  open() {
    calls.push("open");
  }
  @GetMapping("/")
  page() {
    return "there";
  }
  @OnReady()
  async ready() {
    const answer = await fetch(url);
    calls.push(`ready: ${await answer.text()}`);
  }
  @PreDestroy()
  close() {
    calls.push("close");
  }
}

@Component()
class Warmup {
  @OnReady()
  warm() {
    calls.push("warm");
  }
}

/** Listens without a word, and lets the beans know where: on a port that was free a moment ago. */
async function start(options: BootstrapOptions) {
  calls.length = 0;
  const free = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = free.addr as Deno.NetAddr;
  free.close();
  url = `http://127.0.0.1:${port}/`;
  const app = await bootstrap({ config: { server: { ...server, port } }, ...options });
  return { app, listen: () => quietly(() => app.listen()) };
}

async function quietly<T>(action: () => Promise<T>): Promise<T> {
  const { log } = console;
  console.log = (line) => void calls.push(String(line).split(" ")[0]!);
  try {
    return await action();
  } finally {
    console.log = log;
  }
}

Deno.test("OnReady() + runs when requests are accepted, in order of creation, once", async () => {
  const { app, listen } = await start({ components: [Page, Warmup] });
  assertEquals(calls, ["open"]);
  await listen();
  await listen();
  assertEquals(calls, ["open", "ready: there", "warm", "Listening"]);
  await app.close();
  assertEquals(calls.at(-1), "close");
});

Deno.test("OnReady() + does not run for who only answers requests", async () => {
  const { app } = await start({ components: [Page, Warmup] });
  assertEquals(await (await app.request("/")).text(), "there");
  await app.close();
  assertEquals(calls, ["open", "close"]);
});

Deno.test("OnReady() + that fails stops the start, closes beans and is named", async () => {
  @Component()
  class Broken {
    @OnReady()
    load() {
      return Promise.reject(new Error("no data"));
    }
  }
  const { app, listen } = await start({ components: [Broken, Page, Warmup] });
  await assertRejects(listen, Error, "Cannot start: 'Broken.load' failed: no data");
  assertEquals(calls, ["open", "close"]);
  await assertRejects(() => fetch(url));
  await assertRejects(listen, Error, "the application was closed");
  await app.close();
});

Deno.test("OnReady() + a shutdown meanwhile skips the methods that have not begun, and logs no address", async () => {
  let end = () => Promise.resolve();
  @Component()
  class Ending {
    @OnReady()
    async ready() {
      calls.push("ready");
      await end();
    }
    @OnReady()
    never() {
      calls.push("never");
    }
  }
  const { app, listen } = await start({ components: [Ending, Warmup] });
  end = () => app.close();
  await assertRejects(listen, Error, "Cannot listen: the application was closed");
  assertEquals(calls, ["ready"]);
});
