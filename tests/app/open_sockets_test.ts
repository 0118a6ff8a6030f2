import { assertEquals } from "@std/assert";
import { OpenSockets } from "../../src/app/server/open_sockets.ts";
import type { SocketHandle, SocketListener } from "../../src/runtime/web.ts";

/** A socket, and what happened to both of its ends. */
function socket(sockets: OpenSockets, agrees: boolean, controller?: AbortController) {
  const events: string[] = [];
  const kept: SocketListener = sockets.keep({
    open: () => events.push("open"),
    message: (data) => events.push(`message ${data}`),
    closed: (code) => events.push(`closed ${code}`),
  }, controller);
  const handle: SocketHandle = {
    protocol: "",
    send: () => {},
    close: (code) => {
      events.push(`close ${code}`);
      if (agrees) kept.closed(1005, "");
    },
    terminate: () => events.push("terminate"),
  };
  return { events, kept, open: () => kept.open(handle) };
}

Deno.test("OpenSockets.end() + closes all, cuts off who does not agree, and says so once", async () => {
  const sockets = new OpenSockets();
  const [agreeing, silent, late, left] = [true, false, true, true].map((agrees) =>
    socket(sockets, agrees)
  ) as [ReturnType<typeof socket>, ...ReturnType<typeof socket>[]];
  for (const one of [agreeing, silent, left]) one?.open();
  left?.kept.closed(1006, "");
  await sockets.end(1);
  silent?.kept.closed(1006, "");
  late?.open();
  assertEquals([agreeing, silent, late, left].map((one) => one?.events), [
    ["open", "close 1001", "closed 1001"],
    ["open", "close 1001", "terminate", "closed 1001"],
    ["open", "close 1001", "closed 1001"],
    ["open", "closed 1006"],
  ]);
});

Deno.test("OpenSockets.keep() + aborts the signal of the request when the socket ends", async () => {
  const sockets = new OpenSockets();
  const [left, ended] = [new AbortController(), new AbortController()];
  const one = socket(sockets, true, left);
  one.open();
  assertEquals(left.signal.aborted, false);
  one.kept.closed(1000, "");
  socket(sockets, true, ended).open();
  await sockets.end(1000);
  assertEquals([left, ended].map(({ signal }) => signal.reason.message), [
    "The client disconnected",
    "The server has ended",
  ]);
});
