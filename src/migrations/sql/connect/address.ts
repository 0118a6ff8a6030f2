import { join } from "../../../runtime/path.ts";
import { defined, quoted } from "../../../text/mod.ts";
import type { AddressDetails, Datasource } from "./datasource.ts";

/** The folder of the files of a connection, below that of all connections. */
export function folderOfConnection(
  root: string,
  { name, migrations: { folder } }: Pick<Datasource, "name" | "migrations">,
): Promise<string> {
  return Promise.resolve(folder ?? join(root, name));
}

/** `sqlite:app.db`, `sqlite::memory:`. @throws {TypeError} */
export function fileAddress(
  rest: string,
  { schemes: [scheme], title }: { readonly schemes: readonly string[]; readonly title: string },
): AddressDetails {
  const database = rest.replace(/^\/\//, "");
  if (database === "") {
    throw new TypeError(`Cannot read the URL: expected a path after '${scheme}:', or ':memory:'`);
  }
  if (/\?\w+=/.test(database)) {
    throw new TypeError(`Cannot read the URL: ${title} takes no parameters: expected only a path`);
  }
  return { database, parameters: new Map() };
}

/** `postgres://user@host/database`, or the data source name of PDO. @throws {TypeError} */
export function networkAddress(rest: string): AddressDetails {
  return rest.startsWith("//") ? parseNetworkUrl(rest) : parseDataSourceName(rest);
}

function parseNetworkUrl(rest: string): AddressDetails {
  let url: URL;
  try {
    // In libpq the host may be a parameter, where a URL with a user needs one.
    url = new URL(`database:${rest.replace(/^(\/\/[^/?#]*@)(?=[:/])/, "$1localhost")}`);
  } catch {
    throw unreadable();
  }
  // A bare '#' in a password cuts the URL there.
  if (url.hash !== "") throw unreadable();
  const parameters = new Map([...url.searchParams].map(([name, value]) => [fold(name), value]));
  return withParameters(parameters, {
    host: decode(url.hostname).replace(/^\[(.*)\]$/, "$1"),
    port: url.port,
    database: decode(url.pathname.slice(1)),
    username: decode(url.username),
    password: decode(url.password),
  });
}

function parseDataSourceName(rest: string): AddressDetails {
  const parameters = new Map<string, string>();
  for (const part of rest.split(";").filter((part) => part.trim() !== "")) {
    const at = part.indexOf("=");
    if (at < 0) {
      throw new TypeError("Cannot read the URL: expected 'name=value' parts between semicolons");
    }
    parameters.set(fold(part.slice(0, at).trim()), part.slice(at + 1).trim());
  }
  return withParameters(parameters, {});
}

type UrlParts = Partial<Record<"host" | "port" | "database" | "username" | "password", string>>;

function withParameters(parameters: Map<string, string>, parts: UrlParts): AddressDetails {
  const take = (own: string | undefined, ...names: string[]): string | undefined => {
    const values = new Set(names.flatMap((name) => parameters.get(name) || []));
    for (const name of names) parameters.delete(name);
    if (values.size > 1) {
      const message = `Cannot read the URL: its parameters ${quoted(names)} contradict each other`;
      throw new TypeError(`${message}; expected one of them`);
    }
    // As in libpq, a parameter replaces a part.
    return [...values][0] ?? (own || undefined);
  };
  const host = take(parts.host, "host", "unixsocket", "socket", "socketpath");
  const port = take(parts.port, "port");
  const username = take(parts.username, "user", "username");
  const password = take(parts.password, "password");
  const database = take(parts.database, "dbname", "database");
  if (port !== undefined && !/^\d{1,5}$/.test(port)) throw unreadable();
  if (database === undefined) throw new TypeError("Cannot read the URL: it names no database");
  const number = port === undefined ? undefined : Number(port);
  return { database, parameters, ...defined({ host, port: number, username, password }) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unreadable();
  }
}

/** A name of a parameter as the map of parameters has it. */
export function fold(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}

function unreadable(): TypeError {
  return new TypeError(
    "Cannot read the URL: expected 'scheme://user:password@host:port/database', with characters such as " +
      "'@', ':', '/' and '#' percent-encoded, or user name and password under 'username' and 'password'",
  );
}
