import { assertEquals } from "@std/assert";
import { reporter } from "../../src/cli/reporter.ts";
import { createScreen } from "../../src/cli/screen.ts";
import type { RunEvent, WorkProgress } from "../../src/migrations/runner/mod.ts";
import type { Runtime } from "../../src/runtime/mod.ts";

/** The stderr of a terminal of that width or, without one, of a pipe. */
function stderrOf(columns: number | undefined, env: Record<string, string> = {}) {
  const written: string[] = [];
  const write = (text: string) => void written.push(text);
  const output = { write, isTerminal: columns !== undefined, columns: columns ?? 80 };
  const runtime = {
    env: { get: (name: string) => env[name], names: () => [] },
    stdout: { ...output, write: () => {} },
    stderr: output,
  } as unknown as Runtime;
  let now = 0;
  const report = reporter(createScreen(runtime), {}, () => now);
  return {
    written,
    /** Tells of it after so many seconds. */
    tell(progress: WorkProgress, { after = 0, file = "orders.json" } = {}) {
      now += after * 1000;
      report({ type: "progress", connection: "shop", file, progress });
    },
    report,
  };
}

const COPYING: WorkProgress = {
  message: "copying",
  done: 120_000,
  total: 200_000,
  rate: 11_800.4,
  leftMs: 6_779,
};

const TERMINAL: readonly (readonly [WorkProgress, string])[] = [
  [
    COPYING,
    "[============>       ] 120,000/200,000  orders.json: copying, 11,800/s, 7 s left",
  ],
  [{ message: "waiting for replicas" }, "orders.json: waiting for replicas"],
  [
    { message: "copying", done: 0, total: 0, rate: 0 },
    "orders.json: copying",
  ],
  [
    { message: "copying", done: 7, total: 5, rate: 0.25, leftMs: 0 },
    "[====================] 7/5  orders.json: copying, 0.3/s",
  ],
  [
    { message: "copying", done: 1, total: 4, leftMs: 119_000 },
    "[=====>              ] 1/4  orders.json: copying, 119 s left",
  ],
  [
    { message: "copying", done: 1, total: 4, leftMs: 600_000 },
    "[=====>              ] 1/4  orders.json: copying, 10 min left",
  ],
  [
    { message: "copying", done: 1, total: 4, leftMs: 9_000_000 },
    "[=====>              ] 1/4  orders.json: copying, 2.5 h left",
  ],
  [{ message: "copying", rate: 5 }, "orders.json: copying, 5/s"],
];

for (const [progress, line] of TERMINAL) {
  Deno.test(`reporter shows ${JSON.stringify(progress)} in one line of a terminal`, () => {
    const { written, tell } = stderrOf(100);
    tell(progress);
    assertEquals(written, [line]);
  });
}

Deno.test("reporter replaces the line of a terminal by the next text, and cuts it to the width", () => {
  const { written, tell, report } = stderrOf(40);
  const started: RunEvent = {
    type: "started",
    connection: "shop",
    file: "orders.json",
    position: 1,
    total: 2,
  };
  report(started);
  tell(COPYING);
  tell({ message: "comparing" });
  report({ type: "notice", connection: "shop", message: "Done" });
  assertEquals(
    written.join(""),
    [
      "[>                   ] 0/2  orders.json",
      "[============>       ] 120,000/200,000 ",
      "orders.json: comparing",
      "\x1b[33mnotice:\x1b[39m shop: Done\n",
    ].join("\r\x1b[2K"),
  );
});

Deno.test("reporter shows long work of strange files in one line", () => {
  const { written, tell } = stderrOf(80);
  tell({ message: "copying" }, { file: "a\nb.json" });
  assertEquals(written, ["a\\u000ab.json: copying"]);
});

Deno.test("reporter writes a line to a pipe when the work is another, else every 10 seconds", () => {
  const { written, tell } = stderrOf(undefined);
  const at = (done: number) => ({ message: "copying", done, total: 200_000 });
  tell(at(0));
  tell(at(10), { after: 9.9 });
  tell(at(20), { after: 0.1 });
  tell(at(30), { after: 5 });
  tell({ message: "comparing" }, { after: 0.1 });
  tell({ message: "comparing" }, { after: 1 });
  tell({ message: "comparing" }, { file: "b.json" });
  assertEquals(written, [
    "progress: shop/orders.json: copying, 0/200,000\n",
    "progress: shop/orders.json: copying, 20/200,000\n",
    "progress: shop/orders.json: comparing\n",
    "progress: shop/b.json: comparing\n",
  ]);
});

Deno.test("reporter writes lines to a dumb terminal", () => {
  const { written, tell } = stderrOf(80, { TERM: "dumb" });
  tell(COPYING);
  assertEquals(written, [
    "progress: shop/orders.json: copying, 120,000/200,000, 11,800/s, 7 s left\n",
  ]);
});

Deno.test("createScreen() shows control characters of names as text on a terminal", () => {
  const { written, report } = stderrOf(80);
  const event = { type: "notice", connection: "shop", message: "x\x1b[2Jy\x1b[31m" } as const;
  report(event);
  assertEquals(written, ["\x1b[33mnotice:\x1b[39m shop: x\\u001b[2Jy\x1b[31m\n"]);
});
