import { assertEquals, assertRejects } from "@std/assert";
import { LockedError, run } from "../../../src/migrations/runner/mod.ts";
import {
  type Leftover,
  leftoversOf,
  type OldIndices,
  prune,
} from "../../../src/features/reindex/prune.ts";
import { filesOf, MemoryServer, memoryTarget } from "../../migrations/runner/memory.ts";

const TREE = { "1": "a", "2": "b", "3": "c" };

/** A server on which two files have left indices behind. */
async function withLeftovers(): Promise<MemoryServer> {
  const server = new MemoryServer();
  const left: Record<string, readonly string[]> = { "1": ["orders-0", "orders-1"], "2": ["x-0"] };
  for (const name of Object.values(left).flat()) server.left.set(name, `${name.length} documents`);
  server.onExecute = (path) => ({ ...(left[path] && { leftBehind: left[path] }) });
  await run(memoryTarget(server), await filesOf(TREE));
  server.log.length = 0;
  return server;
}

/** The old indices on the server of a test, in place of those on a cluster. */
function oldIn(server: MemoryServer): OldIndices {
  return {
    find: (entries) => {
      server.log.push(`leftovers ${entries.length}`);
      return Promise.resolve(
        entries.flatMap(({ path: file, applied }) =>
          (applied?.leftBehind ?? []).flatMap((name) => {
            const size = server.left.get(name);
            return size === undefined ? [] : [{ file, name, size }];
          })
        ),
      );
    },
    async delete({ name }, work) {
      await work.ensureHeld();
      return !server.inUse.has(name) && server.left.delete(name);
    },
  };
}

async function found(server: MemoryServer): Promise<readonly Leftover[]> {
  return await leftoversOf(await memoryTarget(server).open(), oldIn(server));
}

async function pruned(server: MemoryServer, chosen: readonly Leftover[]) {
  const session = await memoryTarget(server, { owner: "me" }).open();
  const { deleted, kept } = await prune(
    session,
    await filesOf(TREE),
    chosen,
    undefined,
    oldIn(server),
  );
  return { deleted: deleted.map(({ name }) => name), kept: kept.map(({ name }) => name) };
}

const leftBehind = (server: MemoryServer) =>
  Object.fromEntries(
    [...server.entries].map(([path, { applied }]) => [path, applied?.leftBehind]),
  );

Deno.test("leftoversOf gives what runs have left and is still there, and writes nothing", async () => {
  const server = await withLeftovers();
  server.left.delete("orders-0");
  assertEquals(await found(server), [
    { file: "1", name: "orders-1", size: "8 documents" },
    { file: "2", name: "x-0", size: "3 documents" },
  ]);
  assertEquals(server.log, ["open", "list", "leftovers 3"]);
});

Deno.test("leftoversOf asks no server about records that name nothing", async () => {
  const server = new MemoryServer();
  await run(memoryTarget(server), await filesOf(TREE));
  server.log.length = 0;
  assertEquals(await found(server), []);
  assertEquals(server.log, ["open", "list"]);
});

Deno.test("prune deletes what is chosen, and takes it out of the records", async () => {
  const server = await withLeftovers();
  const [first, , last] = await found(server);
  assertEquals(await pruned(server, [first!, last!]), { deleted: ["orders-0", "x-0"], kept: [] });
  assertEquals([...server.left.keys()], ["orders-1"]);
  assertEquals(leftBehind(server), { "1": ["orders-1"], "2": [], "3": undefined });
  assertEquals(server.holder, undefined);
  assertEquals((await found(server)).map(({ name }) => name), ["orders-1"]);
  // The records of the files have not changed.
  const { requests } = await run(memoryTarget(server), await filesOf(TREE));
  assertEquals(requests, 1);
});

Deno.test("prune keeps what is in use again, and its name in the record", async () => {
  const server = await withLeftovers();
  server.inUse.add("orders-0");
  assertEquals(await pruned(server, await found(server)), {
    deleted: ["orders-1", "x-0"],
    kept: ["orders-0"],
  });
  assertEquals(leftBehind(server)["1"], ["orders-0"]);
});

Deno.test("prune deletes nothing that the records do not name any more", async () => {
  const server = await withLeftovers();
  const chosen = await found(server);
  const entry = server.entries.get("1")!;
  server.onLock = () => {
    server.entries.set("1", {
      ...entry,
      applied: { ...entry.applied!, leftBehind: ["orders-1"] },
    });
    server.entries.delete("2");
  };
  assertEquals(await pruned(server, chosen), { deleted: ["orders-1"], kept: [] });
  assertEquals([...server.left.keys()], ["orders-0", "x-0"]);
});

Deno.test("prune of nothing takes no lock", async () => {
  const server = await withLeftovers();
  server.holder = { owner: "other", isAlive: true };
  assertEquals(await pruned(server, []), { deleted: [], kept: [] });
  assertEquals(server.log, ["open"]);
});

Deno.test("prune keeps the attempt of a file that was cut off", async () => {
  const server = await withLeftovers();
  const attempt = { hash: "h", state: "running", repeatSafe: true, resume: { a: 1 } } as const;
  server.entries.set("1", { ...server.entries.get("1")!, attempt });
  await pruned(server, await found(server));
  assertEquals(server.entries.get("1")?.attempt, attempt);
});

Deno.test("prune takes the lock, and deletes nothing while another run is at work", async () => {
  const server = await withLeftovers();
  const chosen = await found(server);
  server.holder = { owner: "other", isAlive: true };
  await assertRejects(() => pruned(server, chosen), LockedError);
  assertEquals(server.left.size, 3);
});

Deno.test("prune gives the lock back where it fails, and goes on when it is asked again", async () => {
  const server = await withLeftovers();
  const chosen = await found(server);
  const remove = server.left.delete.bind(server.left);
  server.left.delete = (name) => {
    if (name === "orders-1") throw new Error("The cluster is down");
    return remove(name);
  };
  await assertRejects(() => pruned(server, chosen), Error, "The cluster is down");
  assertEquals([server.holder, [...server.left.keys()]], [undefined, ["orders-1", "x-0"]]);
  delete (server.left as { delete?: unknown }).delete;
  assertEquals((await pruned(server, await found(server))).deleted, ["orders-1", "x-0"]);
});
