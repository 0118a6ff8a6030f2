import { httpClient } from "../../src/runtime/client.ts";
import type { Runtime } from "../../src/runtime/mod.ts";

/** A process of its own for what changes or ends one: `child.ts <adapter> <command> [url]`. */
const COMMANDS: Readonly<Record<string, (runtime: Runtime, url: string) => unknown>> = {
  async fetch(runtime, url) {
    const ways = { environment: {}, off: { proxy: false as const }, tls: { verifyTls: false } };
    const texts: Record<string, string> = {};
    for (const [way, options] of Object.entries(ways)) {
      const client = httpClient(runtime, options);
      texts[way] = await (await client.fetch(url)).text();
      await client.close();
    }
    runtime.stdout.write(JSON.stringify(texts));
  },

  async probe(runtime, url) {
    const result = (proxy?: false) =>
      httpClient(runtime, { proxy }).probe(url, 1000).then(
        () => "reached",
        (error) => error.message,
      );
    runtime.stdout.write(JSON.stringify([await result(), await result(false)]));
  },

  signals(runtime) {
    const keepAlive = setInterval(() => {}, 60_000);
    let count = 0;
    const stop = runtime.onTermination((signal) => {
      runtime.stdout.write(`${signal}\n`);
      if (++count < 2) return;
      stop();
      clearInterval(keepAlive);
    });
    runtime.stdout.write("ready\n");
  },

  pipe(runtime) {
    for (let i = 0; i < 20_000; i++) runtime.stdout.write(`${"x".repeat(99)}\n`);
    runtime.stderr.write("went on");
  },

  async package(runtime) {
    const error = await runtime.packageFolder("irori-absent", "^1.0.0").catch((error) => error);
    const { message, packageName, range, cause } = error;
    runtime.stdout.write(JSON.stringify({ message, packageName, range, hasCause: !!cause }));
  },

  async lines(runtime) {
    const { stdin, stdout } = runtime;
    const texts = [stdin.isTerminal, await stdin.readLine(), await stdin.readLine() ?? "none"];
    stdout.write(JSON.stringify(texts));
    runtime.exit(0);
  },

  async text(runtime) {
    runtime.stdout.write(JSON.stringify(await runtime.stdin.readText()));
    runtime.exit(0);
  },

  async aborted(runtime) {
    const reason = new Error("the reason");
    const stop = new AbortController();
    const line = runtime.stdin.readLine(stop.signal).catch((error) => error === reason);
    stop.abort(reason);
    runtime.stdout.write(JSON.stringify([await line]));
    runtime.exit(0);
  },

  exit(runtime) {
    runtime.stdout.write(runtime.args.join(" "));
    runtime.exit(3);
  },
};

const [adapter, command = "", url = ""] = Deno.args;
const runtime = adapter === "node"
  ? (await import("../../src/runtime/node/node.ts")).nodeRuntime()
  : (await import("../../src/runtime/deno/deno.ts")).denoRuntime();
await COMMANDS[command]!(runtime, url);
