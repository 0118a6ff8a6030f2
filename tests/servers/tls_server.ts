import { spawn } from "node:child_process";
import type { Certificate } from "./certificates.ts";

/** An HTTPS server on 127.0.0.1, by the `openssl` command. */
export interface TlsServer extends AsyncDisposable {
  /** `https://127.0.0.1:…/` */
  readonly url: string;
}

/**
 * Starts a server that answers every GET with a page.
 *
 * @param clients the authority that has to have signed the client's certificate, where one is demanded
 */
export async function startTlsServer(
  server: Certificate,
  clients?: Certificate,
): Promise<TlsServer> {
  const child = spawn("openssl", [
    ...["s_server", "-accept", "127.0.0.1:0", "-www", "-naccept", "50"],
    ...["-cert", server.certPath, "-key", server.keyPath],
    ...(clients ? ["-Verify", "1", "-verify_return_error", "-CAfile", clients.certPath] : []),
  ], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const port = await new Promise<string>((resolve, reject) => {
    let output = "";
    const read = (data: unknown) => {
      output += data;
      const found = /^ACCEPT .*:(\d+)$/m.exec(output)?.[1];
      if (found) resolve(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("error", reject);
    ended.then(() => reject(new Error(`openssl s_server ended: ${output}`)));
  });
  return {
    url: `https://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
