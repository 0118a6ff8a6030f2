import { assertEquals, assertRejects } from "@std/assert";
import { pruneFound } from "../../../src/features/reindex/command.ts";
import { createScreen } from "../../../src/cli/screen.ts";
import type { Leftover } from "../../../src/features/reindex/prune.ts";
import type { Runtime } from "../../../src/runtime/mod.ts";

const BEFORE: Leftover = {
  file: "orders.json",
  name: "orders-before-1",
  size: "20,045 documents, 3.2 MB",
};
const OLD: Leftover = { file: "orders.json", name: "orders-1a2b3c4d-1", size: "0 documents, 1 kB" };
const FOUND = [
  { connection: "shop", found: [BEFORE, OLD] },
  { connection: "logs", found: [] },
];
const LIST = [
  "shop: 2 indices",
  "  orders-before-1  (orders.json, 20,045 documents, 3.2 MB)",
  "  orders-1a2b3c4d-1  (orders.json, 0 documents, 1 kB)",
  "logs: nothing to delete",
];

/** Runs `prune` with this answer at a terminal, or without one; the second of two indices is in use again. */
async function offer(
  answer: string | undefined | "no terminal",
  { json, yes, signal }: { json?: boolean; yes?: boolean; signal?: AbortSignal } = {},
) {
  const texts = { stdout: "", stderr: "" };
  const output = (name: keyof typeof texts) => ({
    write: (text: string) => void (texts[name] += text),
    isTerminal: answer !== "no terminal",
    columns: 80,
  });
  const runtime = {
    env: { get: (name: string) => name === "NO_COLOR" ? "1" : undefined, names: () => [] },
    stdin: {
      isTerminal: answer !== "no terminal",
      readLine: (signal?: AbortSignal) =>
        signal?.aborted ? Promise.reject(signal.reason) : Promise.resolve(answer),
    },
    stdout: output("stdout"),
    stderr: output("stderr"),
  } as unknown as Runtime;
  let isDeleted = false;
  const deleteAll = () => {
    isDeleted = true;
    return Promise.resolve([
      { connection: "shop", found: { deleted: [BEFORE], kept: [OLD] } },
      { connection: "logs", found: { deleted: [], kept: [] } },
    ]);
  };
  const screen = createScreen(runtime, json);
  const print = (connections: unknown) => {
    if (json) runtime.stdout.write(`${JSON.stringify({ connections })}\n`);
    return undefined;
  };
  const code = await pruneFound({ runtime, screen, print }, FOUND, deleteAll, yes, signal);
  return { code, isDeleted, stdout: texts.stdout.split("\n").slice(0, -1), stderr: texts.stderr };
}

const DELETED = [
  "shop: 1 deleted",
  "  kept  orders-1a2b3c4d-1: it is in use again, by an alias or for writes",
];

for (const answer of ["y", "Y", "yes", " y\t"]) {
  Deno.test(`prune deletes after the answer ${JSON.stringify(answer)}`, async () => {
    assertEquals(await offer(answer), {
      code: 0,
      isDeleted: true,
      stdout: [...LIST, ...DELETED],
      stderr: "Delete 2 indices? [y/N] ",
    });
  });
}

for (const answer of ["", "n", "yesterday", "delete"]) {
  Deno.test(`prune deletes nothing after the answer ${JSON.stringify(answer)}`, async () => {
    assertEquals(await offer(answer), {
      code: 0,
      isDeleted: false,
      stdout: LIST,
      stderr: "Delete 2 indices? [y/N] Nothing was deleted\n",
    });
  });
}

Deno.test("prune deletes nothing where the input ends instead of an answer", async () => {
  const { code, isDeleted, stderr } = await offer(undefined);
  assertEquals([code, isDeleted], [0, false]);
  assertEquals(stderr, "Delete 2 indices? [y/N] \nNothing was deleted\n");
});

Deno.test("prune lists and exits with 2 without a terminal", async () => {
  assertEquals(await offer("no terminal"), {
    code: 2,
    isDeleted: false,
    stdout: LIST,
    stderr: "error: Nothing was deleted: add '--yes' to delete 2 indices\n",
  });
});

Deno.test("prune --yes deletes without a question", async () => {
  assertEquals(await offer("no terminal", { yes: true }), {
    code: 0,
    isDeleted: true,
    stdout: [...LIST, ...DELETED],
    stderr: "",
  });
});

Deno.test("prune --json prints what was found, deleted and kept as one document", async () => {
  const { stdout, stderr } = await offer("no terminal", { yes: true, json: true });
  assertEquals(JSON.parse(stdout.join("\n")), {
    connections: [
      { connection: "shop", leftovers: [BEFORE, OLD], deleted: [BEFORE], kept: [OLD] },
      { connection: "logs", leftovers: [], deleted: [], kept: [] },
    ],
  });
  assertEquals(stderr, [...LIST, ...DELETED, ""].join("\n"));
  const unasked = await offer("no terminal", { json: true });
  assertEquals(unasked.code, 2);
  const { connections: [shop] } = JSON.parse(unasked.stdout.join("\n"));
  assertEquals([shop.leftovers.length, shop.deleted, shop.kept], [2, [], []]);
});

Deno.test("prune ends when it is stopped while it asks", async () => {
  const reason = new Error("stop");
  const error = await assertRejects(() => offer("y", { signal: AbortSignal.abort(reason) }), Error);
  assertEquals(error, reason);
});
