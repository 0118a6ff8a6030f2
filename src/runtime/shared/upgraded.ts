let upgrades: WeakMap<Request, (sent: Response) => Response | undefined> | undefined;

/** Remembers that Deno has made a WebSocket of a request. @param refuse called when something else is the answer */
export function rememberUpgrade(request: Request, response: Response, refuse: () => void): void {
  upgrades ??= new WeakMap();
  upgrades.set(request, (sent) => {
    if (signature(sent) === signature(response)) return undefined;
    refuse();
    return response;
  });
}

/**
 * Refuses the WebSocket of a request that is answered by something else, which Deno cannot send any more: the client
 * would wait for ever.
 *
 * @returns the answer that opens it, or `undefined` where nothing is in its way
 */
export function upgradeResponse(request: Request, response: Response): Response | undefined {
  return upgrades?.get(request)?.(response);
}

/** Middleware that sets a header may copy the response; Deno sends the copy as well. */
function signature({ status, headers }: Response): string {
  return `${status} ${headers.get("sec-websocket-accept")}`;
}

/** Whether Deno has made a WebSocket of a request, and takes that for aborted from then on. */
export function isUpgraded(request: Request): boolean {
  return upgrades?.has(request) ?? false;
}
