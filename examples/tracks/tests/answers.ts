import assert from "node:assert/strict";
import { ACCESS } from "./access.ts";
import { CALLERS, headersOf } from "./callers.ts";

/**
 * Sends each request of the table as each caller, and compares what it is answered with.
 *
 * @param reset restores the initial data after a request that may have changed it
 */
export async function checkAccess(
  send: (path: string, init: RequestInit) => Response | Promise<Response>,
  reset: () => Promise<void> = async () => {},
): Promise<void> {
  const found: string[] = [];
  for (const [request, , init] of ACCESS) {
    const [method = "", path = ""] = request.split(" ");
    const answers: number[] = [];
    for (const caller of CALLERS) {
      const { headers, ...rest }: RequestInit = init?.() ?? {};
      const all = { ...headersOf(caller), ...headers as Record<string, string> };
      const { ok, status, body } = await send(path, { method, headers: all, ...rest });
      await body?.cancel();
      answers.push(status);
      if (ok && method !== "GET") await reset();
    }
    found.push(`${request}: ${answers.join(" ")}`);
  }
  assert.deepEqual(found, ACCESS.map(([request, answers]) => `${request}: ${answers}`));
}
