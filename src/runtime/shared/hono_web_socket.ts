import type { UpgradeSocket } from "./web_socket.ts";

export function upgradeBy(
  upgrade: (context: never, events: Events) => Promise<Response>,
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
      // A failure is always followed by the event that closes the socket.
      onError: () => {},
    });
}

interface Events {
  readonly onOpen: (event: unknown, socket: Socket) => void;
  readonly onMessage: (event: { readonly data: unknown }) => void;
  readonly onClose: (event: { readonly code: number; readonly reason: string }) => void;
  readonly onError: () => void;
}

interface Socket {
  readonly protocol: string | null;
  readonly raw?: { terminate?(): void };
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(code: number, reason: string): void;
}
