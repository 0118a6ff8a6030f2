import { discardBody, isOurs, plainResponse, sendable } from "../../http/mod.ts";
import { invalidateFastPath, upgradeResponse } from "../../runtime/web.ts";
import { type FailureLog, type FieldSource, inScopeOf } from "../../web/mod.ts";

export class ResponseCheck {
  constructor(
    readonly log: FailureLog,
    readonly isExtended: () => boolean,
    readonly fields?: FieldSource,
  ) {}

  checked(request: Request, response: Response): Response {
    const checked = this.#sendable(request, response);
    const { fields } = this;
    const sent = fields?.addedTo(checked, request) ?? checked;
    const upgraded = upgradeResponse(request, sent);
    if (!upgraded) return sent;
    // A failure is logged already.
    if (sent.status < 500) this.#log(request, new TypeError(ANSWERED_TWICE));
    return upgraded;
  }

  #sendable(request: Request, response: Response): Response {
    if (isOurs(response) && !this.isExtended()) return response;
    invalidateFastPath(response);
    try {
      return sendable(response);
    } catch (error) {
      try {
        if (!response.bodyUsed) discardBody(response);
      } catch {
        // Node cannot even read the body of `Response.error()`.
      }
      const failed = this.failed(request, error);
      // Hono has seen to that of the response that was refused.
      return request.method === "HEAD" ? new Response(null, failed) : failed;
    }
  }

  failed(request: Request, error: unknown): Response {
    this.#log(request, error);
    return plainResponse(500);
  }

  #log(request: Request, error: unknown): void {
    inScopeOf(request, () => this.log(`Cannot answer ${labelOf(request)}`, error, "ERROR"));
  }
}

const ANSWERED_TWICE = "Cannot answer a request that became a WebSocket";

export function labelOf({ method, url }: Request): string {
  // Absent on Deno when other code serves the application.
  return `${method} ${URL.parse(url, "http://localhost")?.pathname ?? url}`;
}
