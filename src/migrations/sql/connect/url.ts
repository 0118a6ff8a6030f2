import { defined, quoted } from "../../../text/mod.ts";
import { ENGINES } from "../engines/table.ts";
import type { Engine } from "../types.ts";
import type { Datasource } from "./datasource.ts";

export interface Address extends Pick<Datasource, "kind" | "engine"> {
  /** Name of the database; for embedded engines the path as written, or `:memory:`. */
  readonly database: string;
  readonly host?: string;
  readonly port?: number;
  readonly username?: string;
  readonly password?: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** @param name of an engine */
export function addressIn(name: string): Pick<Address, "kind" | "engine"> {
  const { kind } = ENGINES[name]!;
  return name === kind ? { kind } : { kind, engine: name };
}

/**
 * Reads `sqlite:path`, `pglite:path`, `postgres://…`, `mysql://…`, `mariadb://…`, the data source names of PHP's PDO
 * (`pgsql:host=…;port=…;dbname=…`) and the URLs of JDBC (`jdbc:postgresql://…`).
 *
 * @throws {TypeError} saying what is wrong, without any part of the URL that may be secret
 */
export function parseUrl(url: string): Address {
  const [, scheme = "", rest = ""] = /^(?:jdbc:)?([a-z]+):(.*)$/is.exec(url.trim()) ?? [];
  const engines = Object.entries(ENGINES);
  const [name, engine] =
    engines.find(([, { schemes, otherSchemes = [] }]) =>
      [...schemes, ...otherSchemes].includes(scheme.toLowerCase())
    ) ?? [];
  if (name === undefined || engine === undefined) {
    const forms = engines.flatMap(([, { schemes, isEmbedded }]) =>
      schemes.map((scheme) => `${scheme}:${isEmbedded ? "" : "//"}`)
    );
    throw new TypeError(`Cannot read the URL: expected it to start with one of ${quoted(forms)}`);
  }
  const place = engine.isEmbedded
    ? fileAddress(engine, rest)
    : rest.startsWith("//")
    ? parseNetworkUrl(rest)
    : parseDataSourceName(rest);
  return { ...addressIn(name), ...place };
}

type AddressDetails = Omit<Address, "kind" | "engine">;

function fileAddress({ schemes: [scheme], title }: Engine, rest: string): AddressDetails {
  const database = rest.replace(/^\/\//, "");
  if (database === "") {
    throw new TypeError(`Cannot read the URL: expected a path after '${scheme}:', or ':memory:'`);
  }
  if (/\?\w+=/.test(database)) {
    throw new TypeError(`Cannot read the URL: ${title} takes no parameters: expected only a path`);
  }
  return { database, parameters: new Map() };
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
  if (database === undefined) {
    throw new TypeError("Cannot read the URL: it names no database");
  }
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
