import { escaped, quoted } from "../../text/mod.ts";
import type { Deprecation } from "../answer/deprecation.ts";
import { type BindingError, failure } from "../bind/binding_error.ts";
import { MappingError, refuseMapping } from "../errors.ts";

export interface ServedPath {
  readonly version?: string;
  readonly segment: string;
  readonly isAlias: boolean;
}

/** Comes with the setting that asks for versions, so that the code for them is only where that is read. */
export type VersionsOf = (declared: Iterable<string>, contextPath: string) => ApiVersions;

interface ApiVersionSettings {
  readonly header?: string;
  /** A path segment after the context path, with `{version}`: `/v{version}`. */
  readonly path?: string;
  readonly default?: string;
  /** @default the versions of all mappings */
  readonly supported?: readonly string[];
  readonly deprecated?: ReadonlyMap<string, Deprecation>;
}

export class ApiVersions {
  readonly supported: readonly string[];
  /** In lower case. */
  readonly header?: string;
  readonly headerName?: string;
  readonly default?: string;
  readonly #segment?: RegExp;

  /** @throws {MappingError} when the default or a deprecated version is not supported */
  constructor(
    private readonly settings: ApiVersionSettings,
    declared: Iterable<string>,
    private readonly contextPath: string,
  ) {
    // `1.10` comes after `1.9`. Created here, as the first collator loads data for at least 10 ms.
    const { compare } = new Intl.Collator("en", { numeric: true });
    this.supported = [...new Set(settings.supported ?? declared)].sort(compare);
    this.header = settings.header?.toLowerCase();
    this.headerName = settings.header;
    this.default = settings.default;
    for (const version of [this.default, ...settings.deprecated?.keys() ?? []]) {
      if (version === undefined || this.supported.includes(version)) continue;
      throw new MappingError(
        `Cannot serve the version '${version}' of 'server.api-version': ${this.#expected}`,
      );
    }
    const [before, after] = settings.path?.split("{version}").map(escaped) ?? [];
    if (before !== undefined) this.#segment = new RegExp(`^${before}([^/]+)${after}(?=/|$)`);
  }

  /** The default version also has a path without it, an unversioned route one in each. @throws {MappingError} */
  pathsOf(said: readonly string[] | undefined, label: string): readonly ServedPath[] | undefined {
    const unknown = said?.find((version) => !this.supported.includes(version));
    if (unknown !== undefined) {
      const reason = `the version '${unknown}' is not in 'server.api-version.supported'`;
      refuseMapping(label, `${reason}, ${this.#expected}`);
    }
    if (this.header !== undefined) {
      return said?.map((version) => ({ version, segment: "", isAlias: false }));
    }
    const at = (version: string) => ({ segment: this.#segmentOf(version), isAlias: true });
    if (said === undefined) return [{ segment: "", isAlias: false }, ...this.supported.map(at)];
    return said.flatMap((version): ServedPath[] => [
      { ...at(version), version, isAlias: false },
      ...(version === this.default ? [{ version, segment: "", isAlias: true }] : []),
    ]);
  }

  deprecationOf(version: string): Deprecation | undefined {
    return this.settings.deprecated?.get(version);
  }

  requested({ headers }: Request): string | BindingError {
    const said = headers.get(this.header ?? "");
    if (said === null && this.default !== undefined) return this.default;
    if (said !== null && this.supported.includes(said)) return said;
    const source = { in: "header", name: this.settings.header ?? "" } as const;
    return failure(source, `${this.#expected}${said === null ? ", but none was sent" : ""}`);
  }

  /** `undefined` if the request names no version and something serves all versions (`hasOthers`). */
  meant(request: Request, hasOthers: boolean): string | undefined | BindingError {
    const isOthers = hasOthers && this.default === undefined && !this.isSaid(request);
    return isOthers ? undefined : this.requested(request);
  }

  /** Whether a request names a version, supported or not. Uses `get`, as `has` makes Deno read all headers. */
  isSaid({ headers }: Request): boolean {
    return headers.get(this.header ?? "") !== null;
  }

  pathError(
    path: string,
    isServed: (path: string) => boolean,
  ): BindingError | undefined {
    const { contextPath } = this;
    if (this.#segment === undefined || !path.startsWith(contextPath)) return undefined;
    const rest = path.slice(contextPath.length);
    const said = this.#segment.exec(rest);
    const isServedAs = (rest: string) =>
      this.supported.some((version) => isServed(contextPath + this.#segmentOf(version) + rest));
    const source = { in: "path", name: "version" } as const;
    if (said?.[1] !== undefined && !this.supported.includes(said[1])) {
      return isServedAs(rest.slice(said[0].length)) ? failure(source, this.#expected) : undefined;
    }
    return said === null && this.default === undefined && isServedAs(rest)
      ? failure(source, `${this.#expected}, but none was sent`)
      : undefined;
  }

  #segmentOf(version: string): string {
    return this.settings.path?.replace("{version}", version) ?? "";
  }

  get #expected(): string {
    return `expected one of ${quoted(this.supported)}`;
  }
}
