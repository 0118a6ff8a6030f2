import { extname, join } from "@std/path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

/** Files of a folder, as any server of files gives them. */
export interface FileServer extends AsyncDisposable {
  /** `http://127.0.0.1:port` */
  readonly url: string;
}

/** Serves the files of a folder on a free port of 127.0.0.1. */
export function serveFiles(folder: string): FileServer {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    const path = decodeURIComponent(pathname) + (pathname.endsWith("/") ? "index.html" : "");
    try {
      const bytes = await Deno.readFile(join(folder, path));
      return new Response(bytes, {
        headers: { "content-type": TYPES[extname(path)] ?? "application/octet-stream" },
      });
    } catch {
      return new Response(`No '${path}'`, { status: 404 });
    }
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
