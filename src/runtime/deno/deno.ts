import { type Refuse, servingBy } from "../shared/listen.ts";
import { fetchLane } from "../shared/fetch_lane.ts";
import { urlCheck } from "./url_check.ts";
import { processUsage } from "../shared/process.ts";
import { fileSystem } from "../shared/files.ts";
import { defined } from "../../text/mod.ts";
import { PackageNotFoundError } from "../errors.ts";
import { dirname, fromFileUrl, toFileUrl } from "../path.ts";
import { orAborted } from "../shared/within.ts";
import type {
  Environment,
  FetchHandler,
  HttpServer,
  Input,
  Output,
  Runtime,
  ServeOptions,
} from "../types.ts";

export function denoRuntime(): Runtime {
  return {
    name: "deno",
    args: Deno.args,
    env: ENV,
    files: fileSystem(Object.assign(Object.create(Deno) as typeof Deno, { mkdir })),
    stdin: INPUT,
    stdout: output(Deno.stdout),
    stderr: output(Deno.stderr),
    pid: Deno.pid,
    get main() {
      return Deno.mainModule.startsWith("file:") ? fromFileUrl(Deno.mainModule) : undefined;
    },
    get hostname() {
      return Deno.permissions.querySync({ name: "sys", kind: "hostname" }).state === "granted"
        ? Deno.hostname()
        : "deno";
    },
    cwd: () => Deno.cwd(),
    importFile: (path) => import(/* webpackIgnore: true */ toFileUrl(path).href),
    packageFolder,
    execute,
    serve: servingBy(listen),
    onTermination,
    usage: processUsage,
    exit: (code) => Deno.exit(code),
  };
}

const ENV: Environment = {
  get: (name) => Deno.env.get(name),
  names: () => Object.keys(Deno.env.toObject()),
};

/** By `@std/fs`, which few starts need. */
async function mkdir(path: string): Promise<void> {
  const { ensureDir } = await import("@std/fs/ensure-dir");
  await ensureDir(path);
}

const packageFolder: Runtime["packageFolder"] = async (name, range) => {
  let cause: unknown;
  for (const specifier of [`${name}/package.json`, `npm:${name}@${range}/package.json`]) {
    try {
      // A module without a file yet is fetched by the import.
      if (!import.meta.resolve(specifier).startsWith("file:")) {
        await import(/* webpackIgnore: true */ specifier, { with: { type: "json" } });
      }
      return dirname(fromFileUrl(import.meta.resolve(specifier)));
    } catch (error) {
      cause = error;
    }
  }
  throw new PackageNotFoundError(name, range, { cause });
};

const execute: Runtime["execute"] = async (program, args, { env = {}, signal } = {}) => {
  try {
    const isLess = Object.keys(env).some((name) => {
      return env[name] === undefined && Deno.env.get(name) !== undefined;
    });
    const options: Deno.CommandOptions = {
      args: [...args],
      env: defined({ ...isLess && Deno.env.toObject(), ...env }) as Record<string, string>,
      clearEnv: isLess,
      ...(signal && { signal }),
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    };
    const { code, stdout, stderr } = await new Deno.Command(program, options).output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  } catch (error) {
    const { NotFound, NotCapable, PermissionDenied } = Deno.errors;
    const isAbsent = [NotFound, NotCapable, PermissionDenied].some((kind) => error instanceof kind);
    if (isAbsent) return undefined;
    throw error;
  }
};

const INPUT: Input = {
  get isTerminal() {
    return Deno.stdin.isTerminal();
  },
  async readLine(signal) {
    const decoder = new TextDecoder();
    const bytes = new Uint8Array(1024);
    for (let text = "";;) {
      const length = await orAborted(Deno.stdin.read(bytes), signal);
      if (length === null) return text === "" ? undefined : text;
      text += decoder.decode(bytes.subarray(0, length), { stream: true });
      const [line] = /^.*?(?=\r?\n)/.exec(text) ?? [];
      if (line !== undefined) return line;
    }
  },
  readText: () => new Response(Deno.stdin.readable).text(),
};

interface Queue {
  end: Promise<void>;
}

const SHARED: Queue = { end: Promise.resolve() };

/** Whether both streams are one pipe or file, where what is written first has to come first. */
function areOne(): boolean {
  try {
    const [out, err] = ["/dev/stdout", "/dev/stderr"].map((path) => Deno.statSync(path));
    return out?.ino === err?.ino && out?.dev === err?.dev;
  } catch {
    return false; // Without the permission, or on Windows.
  }
}

function output(stream: typeof Deno.stdout): Output {
  const encoder = new TextEncoder();
  let failure: Error | undefined;
  let queue: Queue | undefined;
  const keep = (error: unknown) => {
    if (!(error instanceof Deno.errors.BrokenPipe)) failure ??= error as Error;
  };
  return {
    write: (text) => {
      let bytes = encoder.encode(text);
      if (queue) {
        queue.end = queue.end.then(async () => {
          while (bytes.length > 0) bytes = bytes.subarray(await stream.write(bytes));
        }).catch(keep);
        return;
      }
      try {
        while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
      } catch (error) {
        keep(error);
      }
    },
    unblock: () => {
      if (!stream.isTerminal()) queue = areOne() ? SHARED : { end: Promise.resolve() };
    },
    written: () => queue?.end ?? Promise.resolve(),
    get failure() {
      return failure;
    },
    get isTerminal() {
      return stream.isTerminal();
    },
    get columns() {
      // Some pseudo-terminals say 0.
      return stream.isTerminal() && Deno.consoleSize().columns || 80;
    },
  };
}

function listen(
  handler: FetchHandler,
  { port, hostname, lane }: ServeOptions,
  refuse: Refuse,
): HttpServer {
  const stop = new AbortController();
  let isStopping = false;
  const isUrl = urlCheck();
  const take = lane && fetchLane(lane);
  const server = Deno.serve({
    port,
    hostname,
    signal: stop.signal,
    onListen: () => {},
    onError: (error) => refuse(500, error),
  }, (request, info) => {
    const answer = take?.(request, info);
    if (answer !== undefined) return answer;
    if (isUrl(request.url) || request.method === "CONNECT") return handler(request, info);
    return refuse(400, new TypeError(`Cannot read a URL from the target '${request.url}'`));
  });
  return {
    port: server.addr.port,
    async shutdown({ uploaded, drained }) {
      // Only then: it makes bodies that are being read unreadable (denoland/deno#36809).
      await uploaded;
      if (stop.signal.aborted) return;
      isStopping = true;
      await Promise.all([server.shutdown(), drained]);
    },
    cut: () => {
      // A server that is stopped twice throws where no code can catch it; the end of the process cuts then.
      if (!isStopping) stop.abort();
    },
  };
}

const onTermination: Runtime["onTermination"] = (listener) => {
  const listeners = (["SIGINT", "SIGTERM"] as const).map((signal) => {
    const heard = () => listener(signal);
    try {
      Deno.addSignalListener(signal, heard);
    } catch {
      return () => {}; // Not every place where Deno runs has both.
    }
    return () => Deno.removeSignalListener(signal, heard);
  });
  return () => listeners.forEach((remove) => remove());
};
