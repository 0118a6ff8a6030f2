import type { Lane } from "./shared/lane.ts";
import type { UpgradeSocket } from "./shared/web_socket.ts";

/** @internal */
export interface Runtime {
  readonly name: "deno" | "bun" | "node";
  readonly args: readonly string[];
  readonly main?: string;
  readonly env: Environment;
  readonly files: FileSystem;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly pid: number;
  readonly hostname: string;
  cwd(): string;
  importFile(path: string): Promise<Record<string, unknown>>;
  /**
   * The folder of a package from npm, absolute: the one that is installed with the application. Deno fetches one of
   * `range` (such as `^5.35.0`) where there is none. @throws {PackageNotFoundError}
   */
  packageFolder(name: string, range: string): Promise<string>;
  /** Without a shell and without input; `undefined` if there is no such program, or it may not be run. */
  execute(
    program: string,
    args: readonly string[],
    options?: ExecuteOptions,
  ): Promise<Executed | undefined>;
  serve(handler: FetchHandler, options: ServeOptions): Promise<HttpServer>;
  /** Calls `listener` on each SIGINT or SIGTERM; the returned function stops listening. */
  onTermination(listener: (signal: TerminationSignal) => void): () => void;
  usage(): ProcessUsage;
  exit(code: number): never;
}

interface ExecuteOptions {
  /** Variables beside those of this process; one that is `undefined` is not handed over. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

interface Executed {
  /** Its exit code; that of a signal is 128 and more. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProcessUsage {
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly heapUsedBytes: number;
  readonly cpuSeconds: number;
  readonly uptimeSeconds: number;
}

export type TerminationSignal = "SIGINT" | "SIGTERM";

export interface Environment {
  get(name: string): string | undefined;
  names(): readonly string[];
}

/** `env` is what Hono's `getConnInfo` and `upgradeWebSocket` of the runtime expect. */
export type FetchHandler = (request: Request, env: unknown) => Response | Promise<Response>;

export interface ServeOptions {
  readonly port: number;
  readonly hostname: string;
  readonly lane?: Lane;
  /** How long a connection may be silent between requests, where the runtime can limit that. @default as the runtime has it */
  readonly idleSeconds?: number;
  /** How long a request may take to arrive, where the runtime can limit that. @default as the runtime has it */
  readonly requestSeconds?: number;
  /**
   * Makes the answer to what the runtime takes for no request (400), or to a request whose answer it cannot send (500).
   *
   * @default a response without a body
   */
  readonly refused?: (status: number, error: unknown) => Response;
}

export interface Drain {
  /** Resolved when there is no request in flight whose body may be read. */
  readonly uploaded: Promise<unknown>;
  readonly drained: Promise<unknown>;
}

export interface HttpServer {
  readonly port: number;
  /**
   * Stops listening, where the runtime can at once, and waits until all answers are sent. Requests in flight are the
   * caller's to count: the runtimes differ in what they do with them. Until then requests may still arrive; connections
   * that are kept open without one are closed.
   */
  shutdown(drain: Drain): Promise<void>;
  cut(): void;
  /** Makes a WebSocket of a request; left out where the runtime does so without its server. */
  readonly upgrade?: UpgradeSocket;
}

export interface FileSystem {
  readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
  /** UTF-8, a leading byte order mark removed. @throws {FileNotFoundError} when there is no such file */
  readTextFile(path: string): Promise<string>;
  /** Whole, or as it was before, even if the process is killed. @throws {FileExistsError} unless `overwrite` */
  writeTextFile(
    path: string,
    text: string,
    options?: { readonly overwrite?: boolean },
  ): Promise<void>;
  /** Makes a folder and those above it, where they are missing. */
  makeFolder(path: string): Promise<void>;
  stat(path: string): Promise<FileInfo | undefined>;
  /** The bytes of a file, part by part: as much of it as a part is in memory. @throws {FileNotFoundError} */
  readChunks(path: string): AsyncIterable<Uint8Array<ArrayBuffer>>;
  /**
   * Everything below `root` that is no folder, in no promised order. Symbolic links are followed, each folder is entered
   * once. @throws {FileNotFoundError} when there is no such folder
   */
  walk(root: string, options?: WalkOptions): AsyncIterable<WalkedFile>;
  /** Names in one folder, sorted by code point. @throws {FileNotFoundError} */
  list(path: string): Promise<readonly string[]>;
  realPath(path: string): Promise<string>;
}

export interface FileInfo {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly size: number;
}

export interface WalkOptions {
  /** Whether a folder, by its path below the root, is left out with everything in it. @default none is */
  readonly skip?: (relative: string) => boolean;
}

export interface WalkedFile {
  readonly path: string;
  /** Path below the root, with `/` on every system. */
  readonly relative: string;
  /** Whether it, or a folder on the way to it, is a symbolic link. */
  readonly linked: boolean;
  /** Whether there is a file to read, and no pipe, socket, device or link that leads nowhere. */
  readonly isFile: boolean;
}

export interface Input {
  readonly isTerminal: boolean;
  /** Without its end; `undefined` at the end of the input. What follows it in a pipe may be lost. */
  readLine(signal?: AbortSignal): Promise<string | undefined>;
  readText(): Promise<string>;
}

export interface Output {
  write(text: string): void;
  /** From now on `write` does not wait for a slow reader, who would keep signals away. For a runtime that waits. */
  unblock?(): void;
  /** Resolved when the reader has everything, or cannot have it. */
  written(): Promise<void>;
  /** Why something could not be written: a full disk. None if the reader has left or the stream is closed. */
  readonly failure?: Error | undefined;
  readonly isTerminal: boolean;
  readonly columns: number;
}

export interface HttpClientOptions {
  /** `false` accepts any certificate. @default true */
  readonly verifyTls?: boolean;
  readonly caCert?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
  /**
   * Proxy URL; `false` uses none, not even the one named by the environment.
   *
   * @default `HTTP_PROXY`, `HTTPS_PROXY` or `ALL_PROXY`, unless `NO_PROXY` excepts the host
   */
  readonly proxy?: string | false;
}

/** The requests of a client, which each runtime sends in its own way. */
export interface Requests {
  /** With `once` nothing below sends it again: some runtimes do when a kept connection breaks. */
  fetch(url: string, init?: RequestInit, options?: { readonly once?: boolean }): Promise<Response>;
  /** Gives up its connections, bodies that are being read included. May be called more than once. */
  close(): Promise<void>;
}

export interface HttpClient extends Requests {
  /** @throws {ConnectError} when it fails, or takes longer than `timeoutMs` */
  probe(url: string, timeoutMs: number): Promise<void>;
}
