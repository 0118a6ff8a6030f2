/** Options of commands: how each is read, which type its value has, and what the help says of it. */
interface Option {
  readonly kind: "flag" | "text" | "list" | "time";
  readonly description: string;
  /** As it is written behind `--`. @default the key in kebab case */
  readonly name?: string;
  readonly short?: string;
  readonly aliases?: readonly string[];
  /** The name of the value in the help; a flag has none. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly fallback?: string;
}

/** By the name of the value in camel case. */
export type Options = Readonly<Record<string, Option>>;

export type Given = Readonly<Record<string, string | number | true | readonly string[]>>;

type ValueOf<O extends Option> = O extends { kind: "flag" } ? boolean
  : O extends { kind: "list" } ? readonly string[]
  : O extends { kind: "time" } ? number
  : O extends { choices: readonly (infer Choice)[] } ? Choice
  : string;

/** The values that a command receives: one without a fallback may be absent, times are in seconds. */
export type Values<O extends Options> =
  & { readonly [K in keyof O]?: ValueOf<O[K]> | undefined }
  & { readonly [K in keyof O as O[K] extends { fallback: string } ? K : never]: ValueOf<O[K]> };

export function flag(description: string) {
  return { kind: "flag", description } as const;
}

export function text(value: string, description: string) {
  return { kind: "text", value, description } as const;
}

export function choice<const C extends string>(
  value: string,
  choices: readonly C[],
  description: string,
) {
  return { kind: "text", value, description, choices } as const;
}

export function list(value: string, description: string) {
  return { kind: "list", value, description } as const;
}

export function time(description: string) {
  return { kind: "time", value: "time", description } as const;
}

/** As it is written on the command line. */
export interface Spelled extends Option {
  readonly key: string;
  readonly name: string;
}

export function spelled(options: Options = {}): readonly Spelled[] {
  return Object.entries(options).map(([key, option]) => {
    return { key, name: key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), ...option };
  });
}

/** `-c, --config <dir>`. */
export function synopsisOf({ name, short, value }: Spelled): string {
  const letter = short === undefined ? "" : `-${short}, `;
  return `${letter}--${name}${value === undefined ? "" : ` <${value}>`}`;
}
