interface Upgraded {
  readonly response: Response;
  isRefused?: boolean;
}

let upgrades: WeakMap<Request, Upgraded> | undefined;

/** Remembers that Deno has made a WebSocket of a request. @returns whether it has to be closed when it opens */
export function rememberUpgrade(request: Request, response: Response): Readonly<Upgraded> {
  const upgrade = { response };
  upgrades ??= new WeakMap();
  upgrades.set(request, upgrade);
  return upgrade;
}

/**
 * Ends the WebSocket of a request that is answered by something else, which Deno cannot send any more: the client would
 * wait for ever.
 *
 * @returns the answer that opens it, or `undefined` where nothing is in its way
 */
export function upgradeResponse(request: Request, response: Response): Response | undefined {
  const upgrade = upgrades?.get(request);
  if (!upgrade || keyOf(response) === keyOf(upgrade.response)) return undefined;
  upgrade.isRefused = true;
  return upgrade.response;
}

/** Middleware that sets a header may copy the response; Deno sends the copy as well. */
function keyOf({ status, headers }: Response): string {
  return `${status} ${headers.get("sec-websocket-accept")}`;
}

/** Whether Deno has made a WebSocket of a request, and takes that for aborted from then on. */
export function isUpgraded(request: Request): boolean {
  return upgrades?.has(request) ?? false;
}
