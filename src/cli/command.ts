import type { Config } from "../config/mod.ts";
import type { CommandOptions, Finding as Found, MigrationType } from "../migrations/commands.ts";
import type { QueriedDatabase } from "../migrations/queries.ts";
import type { FeatureEntry, RunEvent, RunReport, Target } from "../migrations/runner/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import type { Finding, Places } from "./findings.ts";
import type { GeneratedFile } from "./generated_file.ts";
import type { GlobalOptions } from "./globals.ts";
import type { Given, Options, Spelled, Values } from "./option.ts";
import type { Screen, Section } from "./screen.ts";

type Example = readonly [args: string, meaning: string];

interface Command<V = Given> {
  readonly name: string;
  /** `<name>` is required, `[name]` is optional, `<name...>` takes one or more. */
  readonly operands?: readonly string[];
  readonly description: string;
  readonly options?: Options;
  readonly examples: readonly Example[];
  readonly epilogue?: string;
  readonly worked: string;
  /** It changes nothing that a signal could leave half done. */
  readonly isReading?: boolean;
  /** It reports {@linkcode Finding}s, which a feature may print. */
  readonly hasFindings?: boolean;
  /** Its arguments name files: those for clusters are JSON, so that `-m search` may be left out. */
  readonly namesFiles?: boolean;
  /** @returns the exit code, unless all is done */
  run(context: Context, options: V): Promise<number | void>;
}

type With<O extends Options> = { readonly options?: O };

/** Declares a command; its file exports it as `declared`. The help loads all of them, so each loads on demand what it needs. */
export function command<const O extends Options>(declared: Command<Values<O>> & With<O>): Command;
export function command(declared: Command): Command {
  return declared;
}

export interface Context {
  readonly runtime: Runtime;
  readonly command: string | undefined;
  readonly globals: GlobalOptions;
  readonly operands: readonly string[];
  readonly screen: Screen;
  readonly program: Program;
  readonly reporter: Reporter | undefined;
  printJson(document: unknown): void;
  migrations(more?: Partial<CommandOptions>, type?: MigrationType): Promise<MigrationWork>;
  updateFile(...file: GeneratedFile): Promise<{ readonly stale: boolean; readonly result: string }>;
}

export interface MigrationWork extends Disposable {
  readonly context: Context;
  readonly options: CommandOptions;
  /** The code of a run that a signal has stopped. */
  stopCode(): number | undefined;
  /** @throws {UsageError} unless one connection is selected, or there is only one */
  onlyTarget(): Promise<Target>;
  /** For `onFailure`: the command goes on. @throws the error if it is a defect */
  fail(error: Error, connection: string): void;
  tellError(error: Error): void;
  codeOf(errors: readonly Error[]): number | undefined;
  /** Prints the findings of each connection as JSON, and the failures. @returns the exit code of the failures */
  print(connections: readonly Printed[], about?: object): number | undefined;
  /** For {@linkcode Reporter}: what finds is loaded on demand. */
  report(
    find: (places: Places, module: typeof import("./findings.ts")) => readonly Finding[],
  ): Promise<void>;
  /** Works on the one connection. @throws {UsageError} as `onlyTarget()` */
  inDatabase<T>(work: (database: QueriedDatabase) => Promise<T>): Promise<T>;
}

export interface Printed extends Omit<Found<unknown>, "found"> {
  readonly [fact: string]: unknown;
}

/** Prints what a command finds in the place of its text, which then goes to stderr. */
interface Reporter {
  readonly option: string;
  shown(text: string): string;
  print(
    context: Context,
    findings: readonly Finding[],
    sections: readonly Section[],
  ): Promise<void>;
}

/** The addition of a feature to commands of others. */
export interface Addition<V = Given> {
  readonly options: Options;
  /** They are options of every command, behind this one. @default they are options of commands that have findings */
  readonly globalAfter?: keyof GlobalOptions;
  reporter?(options: V): Reporter | undefined;
  migrations?(options: V, context: Context): Partial<CommandOptions>;
  showRuns?(reports: readonly RunReport[], work: MigrationWork): void;
  tell?(event: RunEvent, screen: Screen): void;
  /** Prints what the JSON of a command says of connections. */
  show?(connections: readonly Printed[], context: Context): void;
}

export function addition<const O extends Options>(
  declared: Addition<Values<O>> & With<O>,
): Addition;
export function addition(declared: Addition): Addition {
  return declared;
}

export type Commands = Readonly<Record<string, () => Promise<{ readonly declared: Command }>>>;

/** An entry of the registry: names, and imports that are not made before they are needed. */
export interface Feature extends FeatureEntry {
  readonly commands?: Commands;
  /** The command that they follow in the help. */
  readonly after?: string;
  readonly adds?: () => Promise<{ readonly added: Addition }>;
  /** Examples for commands of others, by their names. */
  readonly examples?: Readonly<Record<string, readonly Example[]>>;
  /** Reads what modules of the component scan export for it, so that `irori routes` reports mistakes in it. */
  readonly reads?: (exported: ReadonlyMap<unknown, string>, config: Config) => Promise<unknown>;
  /** Migrations that `irori new` writes, by the name it is given. */
  readonly schemas?: Readonly<Record<string, (place: SchemaPlace) => Promise<string | undefined>>>;
}

export interface SchemaPlace {
  /** By whose SQL it is, see `Engine`. */
  readonly kind: string;
  readonly connection: string;
  /** The migrations of the connection that exist. */
  written(): AsyncIterable<string>;
}

/** A command as it is written, with what features add to it. */
export interface CommandSyntax extends Omit<Command, "options"> {
  readonly options: readonly Spelled[];
}

export interface Syntax {
  readonly globals: readonly Spelled[];
  readonly commands: readonly CommandSyntax[];
}

/** The commands of both halves and of their features; each is loaded when it is asked for. */
export interface Program {
  readonly features: readonly Feature[];
  readonly names: readonly string[];
  additions(): Promise<readonly Addition[]>;
  syntax(names: readonly string[], additions: readonly Addition[]): Promise<Syntax>;
}
