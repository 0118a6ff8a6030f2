/** A kind of resource that can be read back: which requests make it, and what it looks like in one form. */
export interface Kind {
  /** Paths of the requests that make, change or delete one; the first group is its name, percent-encoded. */
  readonly pattern: RegExp;
  /** Methods that make or change one. */
  readonly methods: readonly string[];
  /** `whole`: such a request replaces the resource; `part`: it changes some of it. */
  readonly effect: "whole" | "part";
  /** The same for every file that works on the resource: `index logs`. */
  readonly key: (name: string) => string;
  /** Path of a GET that reads it. */
  readonly path: (name: string) => string;
  /** What the body of a request says of it, in one form. */
  readonly wanted: (body: unknown) => unknown;
  /** What the answer of that GET says of it, in the same form: one value, or one for each index behind an alias. */
  readonly read: (json: unknown) => readonly unknown[];
}
