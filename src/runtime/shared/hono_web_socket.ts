import type { WSEvents } from "hono/ws";
import type { UpgradeSocket } from "./web_socket.ts";

export function upgradeBy(
  upgrade: (context: never, events: WSEvents<{ terminate?(): void }>) => Promise<Response>,
): UpgradeSocket {
  return (context, _, listener) =>
    upgrade(context as never, {
      onOpen: (_, socket) =>
        listener.open({
          protocol: socket.protocol ?? "",
          send: (data) => socket.send(data),
          close: (code, reason) => socket.close(code, reason),
          terminate: () => socket.raw?.terminate?.(),
        }),
      onMessage: ({ data }) => listener.message(data as string | ArrayBuffer),
      onClose: ({ code, reason }) => listener.closed(code, reason),
      // What failed is followed by its close.
      onError: () => {},
    });
}
