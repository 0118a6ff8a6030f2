import type { JsonMember } from "../json/json.ts";
import type { Json } from "../json/json_values.ts";

export interface Kind {
  /** The paths of requests that change one; the first group is its name, percent-encoded. */
  readonly pattern: RegExp;
  readonly methods: readonly string[];
  /** `whole`: a request replaces the resource; `part`: it changes a part. */
  readonly effect: "whole" | "part";
  /** Where PUT is no upsert. `versioned`: an update names the version. `once`: one that exists stays. */
  readonly write?: "versioned" | "once";
  /** The method that creates one, for `versioned`. @default "PUT" */
  readonly create?: "PUT" | "POST";
  /** A member that keeps its live value if a file omits it, with its default; for `versioned`. */
  readonly stays?: { readonly name: string; readonly usual: unknown };
  /**
   * How clusters show what was sent. `exactly`: anything else is a difference. `completely`: so is anything beyond it, but
   * the form of values may differ. @default they may add to it
   */
  readonly shown?: "exactly" | "completely";
  readonly secrets?: readonly string[];
  /** Whether requests set single values, of which the last one counts; for `part`. @default false */
  readonly isMerged?: boolean;
  readonly isSingle?: boolean;
  readonly noun: string;
  readonly path: (name: string) => string;
  /**
   * Whether that GET reads a comma as a list and `*` as a pattern: a resource with such a name is read from the list of
   * all. @default false
   */
  readonly readsPatterns?: boolean;
  readonly wanted: (body: unknown) => unknown;
  readonly read: (json: unknown) => readonly unknown[];
  /** The indices that it is for. The cluster rejects two of a kind and a priority whose patterns match one index. */
  readonly claims?: (body: unknown) => readonly IndexClaim[];
  readonly file?: KindFile;
  /** Where `pull` and `convert` write its files; the number orders the files of a run: `50-components`. */
  readonly folder?: string;
  readonly list?: KindList;
}

export interface IndexClaim {
  readonly patterns: readonly string[];
  readonly priority: number;
}

export interface KindList {
  readonly path: string;
  /** The members that lead to the object or the list of all. @default none */
  readonly within?: readonly string[];
  /** The name in an entry of a list. @default the key in an object */
  readonly entryName?: (entry: Json) => unknown;
  /** The member with the body of the request. @default the entry itself */
  readonly body?: string;
  /** The member that contains it in the body of the request. @default none */
  readonly wrap?: string;
  readonly least?: string;
  /** Whether the answer is a page, with the number of all in `total_policies`. @default false */
  readonly isPaged?: boolean;
  readonly isBuiltIn?: (body: Json, name: string) => boolean;
}

export type MemberKind = "array" | "object" | "string";

export interface KindFile {
  readonly ending: `-${string}`;
  /** Members of the body; one of them is enough, because several kinds may share an ending. */
  readonly members?: Readonly<Partial<Record<MemberKind, readonly string[]>>>;
  readonly isOf?: "Elasticsearch";
  readonly isBody?: (members: readonly JsonMember[]) => boolean;
  readonly expected?: string;
  readonly nameProblem?: (name: string) => string | undefined;
  /** Members of the body that clusters show and do not accept. */
  readonly shownOnly?: readonly string[];
  /** Whether the request has no body: the file is `{}`. @default false */
  readonly isEmpty?: boolean;
}
