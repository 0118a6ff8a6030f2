import type { Application } from "../../app/mod.ts";
import { versionHeaders } from "../openapi/mod.ts";
import type { Principal } from "../security/mod.ts";
import { setUser } from "../security/test_users.ts";
import { piecesOf, servedRoute } from "../../web/mod.ts";

/**
 * A request of an authenticated user, whatever the schemes of the application are: they are not asked. It works with
 * `app.request()` and `app.fetch()`, not through the network.
 *
 * ```ts ignore
 * const response = await app.request(asUser({ name: "ada", roles: ["admin"] }, "/reports"));
 * ```
 *
 * @param target a path, a URL, or a request whose method, header fields and body are used
 */
export function asUser(
  user: Principal,
  target: string | URL | Request,
  init?: RequestInit,
): Request {
  const request = new Request(
    target instanceof Request ? target : new URL(target, "http://localhost"),
    init,
  );
  setUser(request, user);
  return request;
}

/** The options of {@linkcode accessTable}. */
export interface AccessTableOptions {
  /** By the headings of their columns; `undefined` is a request without credentials. */
  readonly users: Readonly<Record<string, Principal | undefined>>;
  /** Path variables by name. @default "1" for each */
  readonly values?: Readonly<Record<string, string>>;
  /** Header fields of each request, beside the one for the version of the API. */
  readonly headers?: HeadersInit;
}

/**
 * Sends each route of the controllers a request of each user, without a body, and returns the statuses as a text for a
 * comparison: 401 and 403 are refusals. A new route changes the table; mounted routes and endpoints of extensions are not
 * in it. Handlers run: use an application with data of the test.
 *
 * ```ts ignore
 * const table = await accessTable(app, { users: { anonymous: undefined, ada, root } });
 * assertEquals(table, `
 *                     anonymous  ada  root
 * GET /reports        401        403  200
 * DELETE /users/{id}  401        403  204
 * `);
 * ```
 */
export async function accessTable(
  app: Pick<Application, "routeTable" | "request">,
  options: AccessTableOptions,
): Promise<string> {
  const { users, values = {} } = options;
  const rows = [["", ...Object.keys(users)]];
  const routes = app.routeTable.map(servedRoute);
  for (const route of routes) {
    const { method, path, consumes: [type] } = route;
    const row = [[method, path, route.version].filter(Boolean).join(" ")];
    const headers = new Headers(options.headers);
    const version = Object.entries(versionHeaders(route, routes) ?? {});
    for (const [field, value] of version) headers.set(field, value);
    // Otherwise 415 would hide the refusal.
    if (type && !headers.has("Content-Type")) {
      headers.set("Content-Type", type.replaceAll("*", "any"));
    }
    for (const user of Object.values(users)) {
      const leaving = new AbortController();
      const { signal } = leaving;
      const url = new URL(filled(path, values), "http://localhost");
      const request = new Request(url, { method, headers, signal });
      const response = await app.request(user ? asUser(user, request) : request);
      leaving.abort(); // An event stream may wait for it.
      await response.body?.cancel();
      row.push(`${response.status}`);
    }
    rows.push(row);
  }
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)));
  return `\n${lines.map((cells) => cells.join("  ").trimEnd()).join("\n")}\n`;
}

function filled(path: string, values: Readonly<Record<string, string>>): string {
  return piecesOf(path).map((piece) => {
    const [, rest, variable] = /^\{(\*?)([^:}]+)/.exec(piece) ?? [];
    if (variable === undefined) return piece;
    const value = values[variable] ?? "1";
    // Handlers get the rest of a path with its first slash.
    return (rest ? value.replace(/^\//, "").split("/") : [value]).map(encodeURIComponent).join("/");
  }).join("");
}
