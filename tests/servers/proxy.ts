import { connect, createServer, type Socket } from "node:net";

/** A proxy on 127.0.0.1 that tunnels `CONNECT` and answers anything else itself. */
export interface Proxy extends AsyncDisposable {
  /** `http://127.0.0.1:…` */
  readonly url: string;
  /** The first line of each request, without the version, and the credentials that came with it. */
  readonly seen: string[];
}

/** Starts one. Plain requests are answered with the text `by the proxy`. */
export async function startProxy(): Promise<Proxy> {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    keep(socket);
    let head = "";
    const read = (data: unknown) => {
      head += String(data);
      if (!head.includes("\r\n\r\n")) return;
      socket.off("data", read);
      answer(socket, head);
    };
    socket.on("data", read);
  });

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  }

  function answer(socket: Socket, head: string): void {
    const [, method, target] = /^(\S+) (\S+) /.exec(head) ?? [];
    const credentials = /^proxy-authorization: (.*?)\r?$/im.exec(head)?.[1];
    seen.push([method, target, ...(credentials ? [credentials] : [])].join(" "));
    if (method !== "CONNECT") {
      socket.end(
        "HTTP/1.1 200 OK\r\nContent-Length: 12\r\nConnection: close\r\n\r\nby the proxy",
      );
      return;
    }
    const [host, port] = target!.split(":");
    const upstream = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      socket.pipe(upstream).pipe(socket);
    });
    keep(upstream);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
