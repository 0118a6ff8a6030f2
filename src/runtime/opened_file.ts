import { builtin } from "./shared/builtin.ts";

export interface OpenedFile {
  /** In bytes, when it was opened. */
  readonly size: number;
  /** When it was changed, in milliseconds since 1970. */
  readonly modified: number;
  /** The bytes from `position`, at most `length` and at least one. @throws {Error} when the file ends before */
  read(position: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  /** May be called more than once. */
  close(): Promise<void>;
}

/**
 * Opens a file below a folder, by the API of Node, which Deno and Bun have, too: only that opens neither a link nor a pipe
 * to wait for.
 *
 * @param path with `/` between segments
 * @param accepts whether a segment may be part of the path; it is asked again where links have led elsewhere
 * @returns `undefined` if there is no such file, and for what is outside of the folder or no regular file
 * @throws {Error} when there is no such folder, or no file system
 */
export async function openBelow(
  root: string | URL,
  path: string,
  accepts: (segment: string) => boolean,
): Promise<OpenedFile | undefined> {
  if (!path.split("/").every(accepts)) return undefined;
  const system = builtin<typeof import("node:fs") | undefined>("node:fs");
  if (!system) throw new Error("Cannot send files: this runtime has no file system");
  const { promises, constants } = system;
  const { sep } = builtin<typeof import("node:path")>("node:path");
  const folder = await promises.realpath(root).catch((cause) => {
    throw new Error(`Cannot send files: there is no folder '${root}'`, { cause });
  });
  const prefix = folder.endsWith(sep) ? folder : folder + sep;
  const real = await promises.realpath(prefix + path).catch(undefinedIfMissing);
  if (!real?.startsWith(prefix)) return undefined;
  if (!real.slice(prefix.length).split(sep).every(accepts)) return undefined;
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
  const handle = await promises.open(real, flags).catch(undefinedIfMissing);
  // A folder may have become a link since it was resolved.
  if (await promises.realpath(real).catch(undefinedIfMissing) === real) {
    return handle && await opened(handle);
  }
  await handle?.close();
}

async function opened(
  handle: Awaited<ReturnType<typeof import("node:fs/promises").open>>,
): Promise<OpenedFile | undefined> {
  let closing: Promise<void> | undefined;
  // Nothing that was read is lost when closing fails.
  const close = () => closing ??= handle.close().catch(() => {});
  const info = await handle.stat();
  if (!info.isFile()) return void await close();
  return {
    size: info.size,
    modified: Math.floor(info.mtimeMs),
    async read(position, length) {
      const bytes = new Uint8Array(length);
      const { bytesRead } = await handle.read(bytes, 0, length, position);
      if (bytesRead > 0) return bytes.subarray(0, bytesRead);
      throw new Error("Cannot send all of a file: it was shortened while it was sent");
    },
    close,
  };
}

/** Errors by which a path leads to no file; others, such as a missing permission, are failures of the server. */
function undefinedIfMissing(error: unknown): undefined {
  const { code = "" } = error as { readonly code?: string };
  if (!["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "EISDIR", "ENXIO"].includes(code)) {
    throw error;
  }
}
