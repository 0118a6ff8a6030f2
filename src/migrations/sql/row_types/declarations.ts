/** Types that a module declares if it uses them. `Table` has columns in the form of Kysely's `ColumnType`. */
export const DECLARATIONS: Readonly<Record<string, string>> = {
  Json: `/** Parsed JSON. */
export type Json = boolean | null | number | string | Json[] | { [name: string]: Json | undefined };
`,
  JsonInput:
    `/** A text is JSON itself; so is an array, which has to be sent as \`JSON.stringify(array)\`. */
export type JsonInput = boolean | number | string | { [name: string]: Json | undefined };
`,
  Interval: `export interface Interval {
  years?: number;
  months?: number;
  days?: number;
  hours?: number;
  minutes?: number;
  seconds?: number;
  milliseconds?: number;
  toPostgres(): string;
  toISO(): string;
  toISOString(): string;
}
`,
  Point: `export interface Point {
  x: number;
  y: number;
}
`,
  Circle: `export interface Circle {
  x: number;
  y: number;
  radius: number;
}
`,
  Table: `type Table<Row, New> = {
  [Name in keyof Row]: Name extends keyof New
    ? Column<Row[Name], New[Name], Required<New>[Name]>
    : Column<Row[Name], never, never>;
};
`,
  View: `type View<Row> = { [Name in keyof Row]: Column<Row[Name], never, never> };
`,
  Column: `interface Column<Select, Insert, Update> {
  readonly __select__: Select;
  readonly __insert__: Insert;
  readonly __update__: Update;
}
`,
};

/** Names of a module that no table and no enum has. */
export const RESERVED: readonly string[] = [
  ...Object.keys(DECLARATIONS),
  ...["Database", "Date", "Partial", "Required", "Uint8Array"],
];
