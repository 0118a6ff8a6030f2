import { builtin } from "./_builtin.ts";
import { ConnectError } from "./errors.ts";

/**
 * Opens and closes one TCP connection to the host of a URL.
 *
 * @throws {ConnectError} when that fails or takes longer than `timeoutMs`
 */
export async function probe(url: string, timeoutMs: number): Promise<void> {
  const { connect } = builtin<typeof import("node:net")>("node:net");
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host, port: Number(port) || (protocol === "https:" ? 443 : 80) });
    const fail = (reason: string, cause?: unknown) => {
      socket.destroy();
      reject(new ConnectError(reason, { cause }));
    };
    const timer = setTimeout(() => fail(`no connection within ${timeoutMs / 1000} s`), timeoutMs);
    socket.once("connect", () => {
      clearTimeout(timer);
      socket.destroy();
      resolve();
    });
    socket.once("error", (error: Error & { code?: string }) => {
      clearTimeout(timer);
      fail(REASONS[error.code ?? ""] ?? error.message, error);
    });
  });
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the network",
  ENOTFOUND: "unknown host",
  EAI_AGAIN: "unknown host",
  ETIMEDOUT: "no connection in time",
};
