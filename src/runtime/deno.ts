import { ensureDir, walk } from "@std/fs";
import { dirname, relative, SEPARATOR, toFileUrl } from "@std/path";
import { httpClient } from "./_http_client.ts";
import { FileNotFoundError, ListenError } from "./errors.ts";
import type {
  Environment,
  FileSystem,
  HttpServer,
  Output,
  Runtime,
  ServeOptions,
  TerminationSignal,
  WalkedFile,
} from "./types.ts";

/** The adapter for Deno. */
export function denoRuntime(): Runtime {
  return {
    name: "deno",
    args: Deno.args,
    env: ENV,
    files: FILES,
    stdout: output(Deno.stdout),
    stderr: output(Deno.stderr),
    pid: Deno.pid,
    hostname: Deno.hostname(),
    cwd: () => Deno.cwd(),
    importFile: (path) => import(toFileUrl(path).href),
    serve: (handler, options) => Promise.resolve(serve(handler, options)),
    onTermination,
    httpClient: (options) => httpClient(ENV, options),
    exit: (code) => Deno.exit(code),
  };
}

const ENV: Environment = {
  get: (name) => Deno.env.get(name),
  names: () => Object.keys(Deno.env.toObject()),
};

const FILES: FileSystem = {
  readFile: (path) => Deno.readFile(path).catch(notFound(path)),
  readTextFile: async (path) => {
    const text = await Deno.readTextFile(path).catch(notFound(path));
    return text.startsWith("\uFEFF") ? text.slice(1) : text;
  },
  writeTextFile: async (path, text, options) => {
    await ensureDir(dirname(path));
    await Deno.writeTextFile(path, text, { createNew: options?.overwrite !== true });
  },
  stat: async (path) => {
    try {
      const { isFile, isDirectory, size } = await Deno.stat(path);
      return { isFile, isDirectory, size };
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  },
  walk: (root) => walkFiles(root, root, false, []),
  list: async (path) => {
    const names: string[] = [];
    try {
      for await (const { name } of Deno.readDir(path)) names.push(name);
    } catch (error) {
      notFound(path)(error);
    }
    return names.sort();
  },
  realPath: (path) => Deno.realPath(path).catch(notFound(path)),
  ensureDir,
};

/**
 * Files below `root`, each under the path by which it was found: `walk` itself would give what is behind a link its own
 * path, except in the folder that it starts in.
 *
 * @param linked whether a link led to `folder`
 * @param above real paths of the folders on the way, because links can make a circle
 */
async function* walkFiles(
  root: string,
  folder: string,
  linked: boolean,
  above: readonly string[],
): AsyncIterable<WalkedFile> {
  const real = await Deno.realPath(folder);
  if (above.includes(real)) return;
  const options = { maxDepth: 1, followSymlinks: true, canonicalize: false };
  for await (const { path, isDirectory, isSymlink } of walk(folder, options)) {
    if (path === folder) continue;
    if (isDirectory) {
      const isLink = (await Deno.lstat(path)).isSymlink;
      yield* walkFiles(root, path, linked || isLink, [...above, real]);
    } else {
      const below = relative(root, path).replaceAll(SEPARATOR, "/");
      yield { path, relative: below, linked: linked || isSymlink };
    }
  }
}

function notFound(path: string): (error: unknown) => never {
  return (cause) => {
    throw cause instanceof Deno.errors.NotFound ? new FileNotFoundError(path, { cause }) : cause;
  };
}

function output(stream: typeof Deno.stdout): Output {
  const encoder = new TextEncoder();
  return {
    write: (text) => {
      let bytes = encoder.encode(text);
      while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
    },
    get isTerminal() {
      return stream.isTerminal();
    },
    get columns() {
      return stream.isTerminal() ? Deno.consoleSize().columns : 80;
    },
  };
}

function serve(
  handler: (request: Request) => Response | Promise<Response>,
  options: ServeOptions,
): HttpServer {
  const { port, hostname } = options;
  try {
    const server = Deno.serve({ port, hostname, onListen: () => {} }, handler);
    return {
      port: server.addr.port,
      hostname,
      async shutdown(drained) {
        await drained;
        await server.shutdown();
      },
    };
  } catch (cause) {
    const reason = cause instanceof Deno.errors.AddrInUse ? "the address is in use" : String(cause);
    throw new ListenError(`Cannot listen on ${hostname}:${port}: ${reason}`, { cause });
  }
}

function onTermination(listener: (signal: TerminationSignal) => void): () => void {
  const listeners = (["SIGINT", "SIGTERM"] as const).map((signal) => {
    const heard = () => listener(signal);
    Deno.addSignalListener(signal, heard);
    return () => Deno.removeSignalListener(signal, heard);
  });
  return () => listeners.forEach((remove) => remove());
}
