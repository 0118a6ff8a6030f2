import { assertEquals, assertRejects } from "@std/assert";
import { ConfigError, createConfig } from "../../src/config/mod.ts";
import { targetsOf, waitUntilReachable } from "../../src/migrations/connections.ts";
import { ConnectionError, type Session, type Target } from "../../src/migrations/runner/mod.ts";
import { loadRuntime } from "../../src/runtime/mod.ts";
import { MemoryServer, memoryTarget } from "./runner/memory.ts";

/** A target whose server comes up at the third attempt, or another one. */
function starting(refused = false, up = 3): { target: Target; attempts: () => number } {
  let attempts = 0;
  const target = memoryTarget(new MemoryServer());
  const open = () => {
    if (++attempts < up) {
      return Promise.reject(new ConnectionError("memory", "Not yet", { refused }));
    }
    return target.open();
  };
  return { target: { ...target, open }, attempts: () => attempts };
}

function wait(
  target: Target,
  { waitMs = 60_000, pauseMs = 1, onNotice = () => {} }: {
    readonly waitMs?: number;
    readonly pauseMs?: number;
    readonly onNotice?: (message: string) => void;
  } = {},
  signal?: AbortSignal,
): Promise<Session> {
  return waitUntilReachable(target, waitMs, onNotice, pauseMs).open(signal);
}

Deno.test("waitUntilReachable waits until the server answers, and says so once", async () => {
  const { target, attempts } = starting();
  const notices: string[] = [];
  const session = await wait(target, { onNotice: (message) => notices.push(message) });
  await session.close();
  assertEquals([attempts(), notices], [3, ["Waiting up to 60 s: Not yet"]]);
});

Deno.test("waitUntilReachable gives up when the time is over", async () => {
  // Pauses are of random length: three attempts may fit.
  const { target } = starting(false, Infinity);
  await assertRejects(
    () => wait(target, { waitMs: 20, pauseMs: 1000 }),
    ConnectionError,
    "Not yet",
  );
});

Deno.test("waitUntilReachable does not wait for a server that refuses who asks", async () => {
  const { target, attempts } = starting(true);
  await assertRejects(() => wait(target), ConnectionError, "Not yet");
  assertEquals(attempts(), 1);
});

Deno.test("waitUntilReachable stops waiting when its signal aborts", async () => {
  const { target } = starting();
  const stop = new AbortController();
  const reason = new Error("stop");
  const onNotice = () => stop.abort(reason);
  const error = await wait(target, { pauseMs: 60_000, onNotice }, stop.signal)
    .catch((error) => error);
  assertEquals(error, reason);
});

Deno.test("targetsOf() refuses tenants where no feature knows them", async () => {
  const config = createConfig({ datasource: { name: "a", url: "sqlite::memory:" } }, {
    root: "/a",
  });
  const options = { config, runtime: await loadRuntime(), sqlPath: "/a", only: ["acme"] };
  await assertRejects(
    () => targetsOf("sql", options),
    ConfigError,
    "has tenants, and so none 'acme'",
  );
});
