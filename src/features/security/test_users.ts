import { originalOf } from "../../http/mod.ts";
import type { Principal } from "./types.ts";

const users = new WeakMap<Request, Principal>();

/** Only code of the same process can do this: a request from the network is another object. */
export function setUser(request: Request, user: Principal): void {
  users.set(request, user);
}

export function testUserOf(request: Request): Principal | undefined {
  // A limit of the body replaces the request.
  return users.get(originalOf(request));
}
