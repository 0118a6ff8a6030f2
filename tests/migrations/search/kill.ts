import { assertEquals } from "@std/assert";
import type { ClusterDouble } from "../../servers/cluster_double.ts";

/** Kills a run of another process before or after one of its requests to a cluster double. */
export class Kill {
  #child: Deno.ChildProcess | undefined;
  #seen = 0;

  /** @param request its number among those of the process, from 1 */
  constructor(private readonly request: number, private readonly when: "before" | "after") {}

  /** Options of the double. */
  readonly intercept = async (): Promise<Response | undefined> => {
    if (this.#child) this.#seen++;
    return await this.#strike("before") ? new Response() : undefined;
  };
  readonly loseAnswer = (): Promise<boolean> => this.#strike("after");

  /** Waits for the end of the process. */
  async of(child: Deno.ChildProcess): Promise<void> {
    this.#child = child;
    assertEquals((await child.output()).signal, "SIGKILL");
  }

  async #strike(moment: "before" | "after"): Promise<boolean> {
    const child = this.#child;
    if (!child || moment !== this.when || this.#seen !== this.request) return false;
    this.#child = undefined;
    child.kill("SIGKILL");
    await child.status;
    return true;
  }
}

/** Ends the lease of a run that was killed, as if its time were over. */
export function endLease({ documents }: ClusterDouble, connection = "logs"): void {
  const lock = documents.indices.get("framework_migrations_lock")?.documents.get(connection);
  const source = lock?.source as Record<string, unknown> | undefined;
  if (source?.state === "held") source.lease_expires_at = new Date(0).toISOString();
}
