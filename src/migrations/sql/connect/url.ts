import { quoted } from "../../../text/mod.ts";
import { ENGINES } from "../engines/table.ts";
import type { Address } from "./datasource.ts";

export function addressIn(name: string): Pick<Address, "kind" | "engine"> {
  const { kind } = ENGINES[name]!;
  return name === kind ? { kind } : { kind, engine: name };
}

/**
 * Reads `sqlite:path`, `pglite:path`, `d1:binding`, `postgres://…`, `mysql://…`, `mariadb://…`, the data source names of
 * PHP's PDO (`pgsql:host=…;port=…;dbname=…`) and the URLs of JDBC (`jdbc:postgresql://…`).
 *
 * @throws {TypeError} saying what is wrong, without any part of the URL that may be secret
 */
export function parseUrl(url: string): Address {
  const [, scheme = "", rest = ""] = /^(?:jdbc:)?([a-z]\w*):(.*)$/is.exec(url.trim()) ?? [];
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
  return { ...addressIn(name), ...engine.address(rest, engine) };
}
