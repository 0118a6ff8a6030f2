import { builtin } from "../shared/builtin.ts";
import { processUsage } from "../shared/process.ts";
import { fileSystem } from "../shared/files.ts";
import { NODE_FILES } from "./files.ts";
import { PackageNotFoundError } from "../errors.ts";
import type { Input, Output, Runtime } from "../types.ts";
import { orAborted } from "../shared/within.ts";

export function nodeProcess(): Omit<Runtime, "name" | "serve"> {
  const process = builtin<typeof import("node:process")>("node:process");
  const os = builtin<typeof import("node:os")>("node:os");
  const url = () => builtin<typeof import("node:url")>("node:url");
  return {
    args: process.argv.slice(2),
    ...(process.argv[1] !== undefined && { main: process.argv[1] }),
    env: { get: (name) => process.env[name], names: () => Object.keys(process.env) },
    files: fileSystem(NODE_FILES),
    stdin: input(() => process.stdin),
    stdout: output(() => process.stdout),
    stderr: output(() => process.stderr),
    pid: process.pid,
    hostname: os.hostname(),
    cwd: () => process.cwd(),
    importFile: (path) => import(/* webpackIgnore: true */ url().pathToFileURL(path).href),
    // A promise, which an executor that throws rejects.
    packageFolder: (name, range) =>
      new Promise((resolve) => {
        try {
          const manifest = import.meta.resolve(`${name}/package.json`);
          resolve(url().fileURLToPath(new URL(".", manifest)).slice(0, -1));
        } catch (cause) {
          throw new PackageNotFoundError(name, range, { cause });
        }
      }),
    execute,
    onTermination(listener) {
      process.on("SIGINT", listener).on("SIGTERM", listener);
      return () => process.off("SIGINT", listener).off("SIGTERM", listener);
    },
    usage: processUsage,
    exit: (code) => process.exit(code),
  };
}

const execute: Runtime["execute"] = (program, args, { env = {}, signal } = {}) => {
  const { execFile } = builtin<typeof import("node:child_process")>("node:child_process");
  const { constants } = builtin<typeof import("node:os")>("node:os");
  const process = builtin<typeof import("node:process")>("node:process");
  const options = { env: { ...process.env, ...env }, maxBuffer: Infinity };
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      signal?.removeEventListener("abort", end);
      const { code = 0, signal: name } = error ?? {};
      if (typeof code === "number") resolve({ code, stdout, stderr });
      else if (name) resolve({ code: 128 + constants.signals[name], stdout, stderr });
      else if (["ENOENT", "EACCES"].includes(code ?? "")) resolve(undefined);
      else reject(error);
    });
    child.stdin?.end();
    const end = () => child.kill();
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end, { once: true });
  });
};

function input(stream: () => NodeJS.ReadStream): Input {
  return {
    get isTerminal() {
      return stream().isTTY === true;
    },
    async readLine(signal) {
      if (stream().readableEnded) return undefined;
      const { createInterface } = builtin<typeof import("node:readline")>("node:readline");
      const lines = createInterface({ input: stream() });
      const line = new Promise<string | undefined>((resolve) => {
        lines.once("line", resolve).once("close", () => resolve(undefined));
      });
      try {
        return await orAborted(line, signal);
      } finally {
        lines.close();
      }
    },
    async readText() {
      const { text } = builtin<typeof import("node:stream/consumers")>("node:stream/consumers");
      return await text(stream());
    },
  };
}

/** The reader has left, or there never was one: the stream is closed. */
const UNHEARD = ["EPIPE", "EBADF"];

function output(stream: () => NodeJS.WriteStream): Output {
  let isWatched = false;
  let unwritten = 0;
  let onWritten = () => {};
  let failure: NodeJS.ErrnoException | undefined;
  const keep = (error?: NodeJS.ErrnoException | null) => {
    failure ??= error ?? undefined;
  };
  const done = (error?: NodeJS.ErrnoException | null) => {
    keep(error);
    if (--unwritten === 0) onWritten();
  };
  return {
    write: (text) => {
      if (!isWatched) stream().on("error", keep);
      isWatched = true;
      unwritten++;
      stream().write(text, done);
    },
    // Bun calls back for an empty text before what was written earlier: each text is counted.
    written: () =>
      unwritten === 0 ? Promise.resolve() : new Promise((resolve) => onWritten = resolve),
    get failure() {
      return UNHEARD.includes(failure?.code ?? "") ? undefined : failure;
    },
    get isTerminal() {
      return stream().isTTY === true;
    },
    get columns() {
      return stream().columns || 80; // Some pseudo-terminals say 0.
    },
  };
}
