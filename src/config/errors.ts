import { describeOrigin } from "../text/mod.ts";

export interface Origin {
  /** A file as people know it, or `environment variable PORT`, or `options`. */
  readonly file: string;
  /** 1-based. */
  readonly line?: number;
  readonly column?: number;
}

/** A configuration that cannot be read or makes no sense. Names the file, the line and the key. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  /** As people know it. */
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  /** The full key, such as `search[0].hosts`. */
  readonly key?: string;

  /** @param message goes after the place and the key, which it need not repeat */
  constructor(
    message: string,
    about: { readonly origin?: Origin; readonly key?: string; readonly cause?: unknown } = {},
  ) {
    const { origin, key, cause } = about;
    const place = origin === undefined ? [] : [describeOrigin(origin)];
    const subject = key === undefined ? [] : [`'${key}'`];
    super([...place, ...subject, message].join(": "), cause === undefined ? undefined : { cause });
    if (origin !== undefined) this.file = origin.file;
    if (origin?.line !== undefined) this.line = origin.line;
    if (key !== undefined) this.key = key;
  }
}
