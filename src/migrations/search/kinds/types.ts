import type { JsonObject } from "../json/json.ts";
import type { Json } from "../json/json_values.ts";
import type { KindEnding } from "../types.ts";

/** A kind of resource that can be read back: which requests make it, and what it looks like in one form. */
export interface Kind {
  /** Paths of the requests that make, change or delete one; the first group is its name, percent-encoded. */
  readonly pattern: RegExp;
  /** Methods that make or change one. */
  readonly methods: readonly string[];
  /** `whole`: such a request replaces the resource; `part`: it changes some of it. */
  readonly effect: "whole" | "part";
  /**
   * How it is written where a PUT is no plain upsert. `versioned`: an update names the version that it replaces. `once`: one
   * that is there is left as it is.
   */
  readonly write?: "versioned" | "once";
  /** The method that makes a new one, of `versioned`. @default "PUT" */
  readonly create?: "PUT" | "POST";
  /** A member that keeps its live value if a file omits it, with its default; of `versioned`. */
  readonly stays?: { readonly name: string; readonly usual: unknown };
  /**
   * How clusters show what was sent, in this form. `exactly`: anything else is a difference. `completely`: so is what is
   * there beyond it, but values may be written otherwise. @default they may add to it
   */
  readonly shown?: "exactly" | "completely";
  /** Members that must not be shown. @default none */
  readonly secrets?: readonly string[];
  /** Whether a request says single values of it, which the last one decides, of `part`. @default false */
  readonly isMerged?: boolean;
  /** Whether there is one of it, without a name. @default false */
  readonly isSingle?: boolean;
  /** What one is called: `index`. */
  readonly noun: string;
  /** Path of a GET that reads it. */
  readonly path: (name: string) => string;
  /**
   * Whether such a GET takes a comma for that of a list and `*` for any text: one with such a name is read out of the list of
   * all. @default false
   */
  readonly readsPatterns?: boolean;
  /** What the body of a request says of it, in one form. */
  readonly wanted: (body: unknown) => unknown;
  /** What the answer of that GET says of it, in the same form: one value, or one for each index behind an alias. */
  readonly read: (json: unknown) => readonly unknown[];
  /** How its files are recognized and written; absent where only requests make it. */
  readonly file?: KindFile;
  /** Where `pull` and `convert` write its files, a number for the order of a run and its name: `50-components`. */
  readonly folder?: string;
  /** How all that there are can be read; absent where they cannot, or are data. */
  readonly list?: KindList;
}

/** How all of a kind are read at once. */
export interface KindList {
  /** Path of a GET. */
  readonly path: string;
  /** Names of members, from the answer down to the object or the list of all. @default none: the answer itself */
  readonly within?: readonly string[];
  /** The name of one, in a list. @default the key in an object */
  readonly nameOf?: (entry: Json) => unknown;
  /** The member that has the body of the request. @default the whole entry is it */
  readonly body?: string;
  /** The member that the body of the request has it in. @default none: it is the body */
  readonly wrap?: string;
  /** The empty body, where an empty object is not accepted. @default "{}" */
  readonly least?: string;
  /** Whether the answer is a page, and has the number of all as `total_policies`. @default false */
  readonly isPaged?: boolean;
  /** Whether the cluster, or one of its plugins, has made it. */
  readonly isBuiltIn?: (body: Json, name: string) => boolean;
}

/** Kinds of members by which files are recognized. */
export type MemberKind = "array" | "object" | "string";

/** Files of one kind, recognized by the ending of their name: `app-reader-role.json`. */
export interface KindFile {
  /** With its hyphen and without `.json`. */
  readonly ending: `-${KindEnding}`;
  /** Members of the body, one of which is enough: several kinds may share an ending. */
  readonly members?: Readonly<Partial<Record<MemberKind, readonly string[]>>>;
  /** Named in messages, for an ending of two kinds. */
  readonly isOf?: "Elasticsearch";
  /** In place of `members`. */
  readonly isBody?: (json: JsonObject) => boolean;
  /** The description of the body in messages. @default by `members` */
  readonly expected?: string;
  /** Why a name is invalid, as a sentence without its final period. */
  readonly nameProblem?: (name: string) => string | undefined;
  /** Members of the body that clusters show and do not accept. @default none */
  readonly shownOnly?: readonly string[];
  /** Whether the request has no body: the file is `{}`. @default false */
  readonly isEmpty?: boolean;
}
