import { defined, quoted } from "../../../text/mod.ts";

/** `batch`: SQLite without a session, such as libSQL and D1. */
export type Engine = Address["kind"] | "pglite" | "batch";

export interface Address {
  readonly kind: "sqlite" | "postgresql" | "mysql";
  readonly engine?: "pglite" | "batch";
  /** Name of the database; for SQLite and PGlite the path as written, or `:memory:`. */
  readonly database: string;
  readonly host?: string;
  readonly port?: number;
  readonly username?: string;
  readonly password?: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const KINDS: Readonly<Record<string, Address["kind"]>> = {
  sqlite: "sqlite",
  postgres: "postgresql",
  postgresql: "postgresql",
  pgsql: "postgresql",
  pglite: "postgresql",
  mysql: "mysql",
  mariadb: "mysql",
};

/**
 * Reads `sqlite:path`, `pglite:path`, `postgres://…`, `mysql://…`, `mariadb://…`, the data source names of PHP's PDO
 * (`pgsql:host=…;port=…;dbname=…`) and the URLs of JDBC (`jdbc:postgresql://…`).
 *
 * @throws {TypeError} saying what is wrong, without any part of the URL that may be secret
 */
export function parseUrl(url: string): Address {
  const [, scheme = "", rest = ""] = /^(?:jdbc:)?([a-z]+):(.*)$/is.exec(url.trim()) ?? [];
  const kind = KINDS[scheme.toLowerCase()];
  if (kind === undefined) {
    throw new TypeError(
      `Cannot read the URL: expected it to start with one of ${
        ["sqlite:", "postgres://", "pglite:", "mysql://", "mariadb://"].map((form) => `'${form}'`)
          .join(", ")
      }`,
    );
  }
  if (kind === "sqlite") return fileAddress(kind, rest);
  if (/^pglite$/i.test(scheme)) {
    return { ...fileAddress("postgresql", rest), engine: "pglite" };
  }
  return rest.startsWith("//") ? parseNetworkUrl(kind, rest) : parseDataSourceName(kind, rest);
}

function fileAddress(kind: "sqlite" | "postgresql", rest: string): Address {
  const [scheme, name] = kind === "sqlite" ? ["sqlite", "SQLite"] : ["pglite", "PGlite"];
  const database = rest.replace(/^\/\//, "");
  if (database === "") {
    throw new TypeError(`Cannot read the URL: expected a path after '${scheme}:', or ':memory:'`);
  }
  if (/\?\w+=/.test(database)) {
    throw new TypeError(`Cannot read the URL: ${name} takes no parameters: expected only a path`);
  }
  return { kind, database, parameters: new Map() };
}

function parseNetworkUrl(kind: Address["kind"], rest: string): Address {
  let url: URL;
  try {
    // In libpq the host may be a parameter, where a URL with a user needs one.
    url = new URL(`${kind}:${rest.replace(/^(\/\/[^/?#]*@)(?=[:/])/, "$1localhost")}`);
  } catch {
    throw unreadable();
  }
  // A bare '#' in a password cuts the URL there.
  if (url.hash !== "") throw unreadable();
  const parameters = new Map([...url.searchParams].map(([name, value]) => [fold(name), value]));
  return withParameters(kind, parameters, {
    host: decode(url.hostname).replace(/^\[(.*)\]$/, "$1"),
    port: url.port,
    database: decode(url.pathname.slice(1)),
    username: decode(url.username),
    password: decode(url.password),
  });
}

function parseDataSourceName(kind: Address["kind"], rest: string): Address {
  const parameters = new Map<string, string>();
  for (const part of rest.split(";").filter((part) => part.trim() !== "")) {
    const at = part.indexOf("=");
    if (at < 0) {
      throw new TypeError("Cannot read the URL: expected 'name=value' parts between semicolons");
    }
    parameters.set(fold(part.slice(0, at).trim()), part.slice(at + 1).trim());
  }
  return withParameters(kind, parameters, {});
}

type Parts = Partial<Record<"host" | "port" | "database" | "username" | "password", string>>;

function withParameters(
  kind: Address["kind"],
  parameters: Map<string, string>,
  parts: Parts,
): Address {
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
  return { kind, database, parameters, ...defined({ host, port: number, username, password }) };
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
