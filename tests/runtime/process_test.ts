import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { startProxy } from "../servers/proxy.ts";

const CHILD = fromFileUrl(new URL("./child.ts", import.meta.url));

for (const adapter of ["deno", "node"]) {
  Deno.test(`${adapter}Runtime httpClient + uses the environment's proxy unless an option turns it off`, async () => {
    await using server = serve();
    await using proxy = await startProxy();
    const { output } = await run(adapter, "fetch", server.url, { HTTP_PROXY: proxy.url });
    assertEquals(JSON.parse(output), {
      environment: "by the proxy",
      off: "direct",
      tls: "by the proxy",
    });
  });

  Deno.test(`${adapter}Runtime httpClient + bypasses the environment's proxy for hosts in NO_PROXY`, async () => {
    await using server = serve();
    await using proxy = await startProxy();
    const env = { HTTP_PROXY: proxy.url, NO_PROXY: "example.org,127.0.0.1" };
    const { output } = await run(adapter, "fetch", server.url, env);
    assertEquals(JSON.parse(output), { environment: "direct", off: "direct", tls: "direct" });
    assertEquals(proxy.seen, []);
  });

  Deno.test(`${adapter}Runtime httpClient + probes the environment's proxy, not what is behind it`, async () => {
    await using proxy = await startProxy();
    const env = { HTTPS_PROXY: proxy.url };
    const { output } = await run(adapter, "probe", "https://no.invalid", env);
    assertEquals(JSON.parse(output), ["reached", "unknown host"]);
  });

  Deno.test(`${adapter}Runtime + receives SIGINT and SIGTERM until the listener is removed`, async () => {
    const child = start(adapter, "signals", "", {});
    const heard: string[] = [];
    const signals: Deno.Signal[] = ["SIGINT", "SIGTERM"];
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      heard.push(...text.trim().split("\n"));
      const signal = signals.shift();
      if (signal) child.kill(signal);
    }
    assertEquals(heard, ["ready", "SIGINT", "SIGTERM"]);
    assertEquals([(await child.status).code, await new Response(child.stderr).text()], [0, ""]);
  });

  Deno.test(`${adapter}Runtime + continues when the reader of its output has exited`, async () => {
    const child = start(adapter, "pipe", "", {});
    await child.stdout.cancel();
    assertEquals(await new Response(child.stderr).text(), "went on");
    assertEquals((await child.status).code, 0);
  });

  for (
    const [typed, line] of [
      ["yes\n", "yes"],
      ["jä\r\n", "jä"],
      ["\n", ""],
      ["no end", "no end"],
      [`${"ü".repeat(3000)}\n`, "ü".repeat(3000)],
    ] as const
  ) {
    Deno.test(`${adapter}Runtime stdin + reads the line ${JSON.stringify(typed.slice(0, 9))}`, async () => {
      const child = start(adapter, "lines", "", {}, "piped");
      const input = child.stdin.getWriter();
      const bytes = new TextEncoder().encode(typed);
      await input.write(bytes.subarray(0, bytes.length - 1));
      await input.write(bytes.subarray(bytes.length - 1));
      await input.close();
      const { stdout, stderr } = await child.output();
      assertEquals(new TextDecoder().decode(stderr), "");
      assertEquals(JSON.parse(new TextDecoder().decode(stdout)), [false, line, "none"]);
    });
  }

  Deno.test(`${adapter}Runtime stdin + reads a text to its end`, async () => {
    const child = start(adapter, "text", "", {}, "piped");
    const input = child.stdin.getWriter();
    const text = `a: ä\n${"ü\n".repeat(50_000)}`;
    await input.write(new TextEncoder().encode(text));
    await input.close();
    const { stdout, stderr } = await child.output();
    assertEquals(new TextDecoder().decode(stderr), "");
    assertEquals(JSON.parse(new TextDecoder().decode(stdout)), text);
  });

  Deno.test(`${adapter}Runtime stdin + stops waiting when the signal is aborted`, async () => {
    const child = start(adapter, "aborted", "", {}, "piped");
    assertEquals(JSON.parse(await new Response(child.stdout).text()), [true]);
    await child.stdin.close();
    assertEquals([(await child.status).code, await new Response(child.stderr).text()], [0, ""]);
  });

  Deno.test(`${adapter}Runtime + explains how to install a missing package`, async () => {
    const { output } = await run(adapter, "package", "", {});
    assertEquals(JSON.parse(output), {
      message:
        "Cannot find the package 'irori-absent': install it with 'npm install irori-absent@^1.0.0'",
      packageName: "irori-absent",
      range: "^1.0.0",
      hasCause: true,
    });
  });

  Deno.test(`${adapter}Runtime + has the arguments and exits with a code`, async () => {
    const { code, output } = await run(adapter, "exit", "a b", {});
    assertEquals([code, output], [3, `${adapter} exit a b`]);
  });
}

Deno.test("loadRuntime + explains what to do on a platform without files and sockets", async () => {
  const script = `
    const { loadRuntime } = await import("${new URL("../../src/runtime/mod.ts", import.meta.url)}");
    delete globalThis.Deno;
    delete globalThis.process;
    await loadRuntime().then((found) => console.log(found.name), (error) => console.log(error.message));
  `;
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["eval", script] }).output();
  assertEquals(
    new TextDecoder().decode(stdout).trim(),
    "This runtime provides no files and sockets: on an edge isolate, call bootstrap({ components, config, env }); " +
      "to bundle for Node, Bun or Deno, set the condition 'node'",
  );
});

function serve(): AsyncDisposable & { readonly url: string } {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    () => new Response("direct"),
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function start(
  adapter: string,
  command: string,
  url: string,
  env: Record<string, string>,
  stdin: "null" | "piped" = "null",
): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    // The child may not look for missing modules elsewhere.
    args: ["run", "-A", "--no-check", "--cached-only", CHILD, adapter, command, url],
    env: { ...Object.fromEntries(PROXY_VARIABLES.map((name) => [name, ""])), ...env },
    stdin,
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function run(...args: Parameters<typeof start>): Promise<{ code: number; output: string }> {
  const { code, stdout, stderr } = await start(...args).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, output: text(stdout) + text(stderr) };
}

/** The machine itself may have set these. */
const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"]
  .flatMap((name) => [name, name.toLowerCase()]);

Deno.test("Deno + a run needs no right to know the host's name", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/migrations/main`, { recursive: true });
  await Deno.writeTextFile(`${folder}/migrations/main/1.sql`, "CREATE TABLE a (id)");
  await Deno.writeTextFile(
    `${folder}/application.yml`,
    "datasource: { name: main, url: 'sqlite:./a.db', migrations: { enabled: true } }",
  );
  const rights = ["read", "write", "env"].map((name) => `--allow-${name}`);
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      ...rights,
      "cli.ts",
      "-c",
      folder,
      "--sqlPath",
      `${folder}/migrations`,
    ],
  }).output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  await Deno.remove(folder, { recursive: true });
});
