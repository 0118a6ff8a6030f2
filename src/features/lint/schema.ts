import type { Check, Column, IndexFacts, TableFacts, TableName, UserType } from "./facts.ts";

export interface Table {
  name: string;
  schema: string;
  madeIn?: string;
  readonly columns: Map<string, Column>;
  readonly checks: Map<string, Check>;
  isPartitioned?: boolean;
  /** Its partition for the rows that are in no other. */
  defaultPartition?: TableName;
  /** Columns that its rows are divided by, where it is partitioned. */
  partitionKey?: readonly string[];
  hasPolicy?: boolean;
  isUnlogged?: boolean;
  /** A view, materialised or not. */
  isView?: boolean;
  isRenamed?: boolean;
  /** Tables that rows were put into it from, by their keys. */
  readonly filledFrom: Set<string>;
  isComplete: boolean;
}

interface Index extends IndexFacts {
  readonly table: Table;
}

type Wanted = TableName & Partial<Pick<Table, "isComplete">>;

export class Schema {
  readonly #tables = new Map<string, Table>();
  readonly indexes = new Map<string, Index>();
  readonly #types = new Map<string, UserType>();
  readonly wanted = new Map<string, TableName>();
  /** The files that make columns and schemas, and those that take a table's name away. */
  readonly #files = new Map<string, string>();
  #asked: ReadonlySet<string> = new Set();
  #file = "";
  #default: string;

  /** @param isOneRun whether all files are applied in one run: then a table that an earlier one makes is new, too */
  constructor(
    private readonly initial: string,
    readonly temporary: string,
    private readonly isOneRun: boolean,
  ) {
    this.#default = initial;
  }

  begin(file: string): void {
    this.#file = file;
    this.#default = this.initial;
    for (const [key, { schema }] of this.#tables) {
      if (schema === this.temporary) this.#tables.delete(key);
    }
  }

  searchIn(schema: string | undefined): void {
    this.#default = schema ?? this.initial;
  }

  /** Takes what the database says of tables that the files know nothing of. @param asked their names as JSON */
  learn(facts: readonly TableFacts[], asked: readonly string[]): void {
    this.#asked = new Set(asked);
    for (const fact of facts) {
      const { columns, checks, indexes = [], domain, ...known } = fact;
      if (domain) this.#types.set(known.name, { ...domain });
      if (domain) continue;
      const table = this.#add({
        ...{ schema: this.initial, isComplete: true, ...known },
        columns: new Map(columns),
        checks: new Map(checks),
      });
      for (const [index, found] of indexes) this.indexes.set(index, { ...found, table });
    }
  }

  make({ name, schema = this.#default }: TableName): Table {
    return this.#add({ name, schema, madeIn: this.#file, isComplete: true });
  }

  /** After this, names may mean other tables, and what the files have made may hold rows of others. */
  doubt(): void {
    for (const [key, table] of this.#tables) {
      delete table.madeIn;
      if (table.schema === this.temporary) this.#tables.delete(key);
    }
    this.#files.clear();
  }

  /** Something else may have the name of a column or a schema that the files have made. */
  forgetNames(): void {
    for (const key of this.#files.keys()) if (!key.startsWith("vacated\0")) this.#files.delete(key);
  }

  /** Whether a table may be there, so that `IF NOT EXISTS` does nothing; the database may know. */
  isThere(name: TableName): boolean {
    const schema = this.#schemaOf(name);
    const table = this.#tables.get(tableKey(schema, name.name));
    if (table?.madeIn !== undefined || table?.isComplete || table?.isRenamed) return true;
    // A run asks: what it gets no answer to is not certain.
    return !this.isMissing({ schema, name: name.name }) && this.isOneRun;
  }

  table(name: TableName): Table {
    const schema = this.#schemaOf(name);
    return this.#tables.get(tableKey(schema, name.name)) ??
      this.#add({ name: name.name, schema, isComplete: false });
  }

  used(name: TableName): Table | undefined {
    const table = this.table(name);
    return this.isNew(table) ? undefined : table;
  }

  #add(known: Pick<Table, "name" | "schema" | "isComplete"> & Partial<Table>): Table {
    const table: Table = { columns: new Map(), checks: new Map(), filledFrom: new Set(), ...known };
    this.#tables.set(tableKey(table.schema, table.name), table);
    return table;
  }

  isNew({ madeIn }: Pick<Table, "madeIn">): boolean {
    return madeIn !== undefined && (this.isOneRun || madeIn === this.#file);
  }

  /** Notes what the file does to something that is no table: `schema`, `column`, or `vacated` for a table's name. */
  note(...path: readonly string[]): void {
    this.#files.set(path.join("\0"), this.#file);
  }

  isNoted(...path: readonly string[]): boolean {
    const madeIn = this.#files.get(path.join("\0"));
    return madeIn !== undefined && this.isNew({ madeIn });
  }

  /** Whether the database has been asked, and has no such table. */
  isMissing(table: Wanted): boolean {
    this.want(table);
    const { schema, name, isComplete } = table;
    return !isComplete && this.#asked.has(JSON.stringify({ schema, name }));
  }

  column(table: Table, name: string): Column {
    const column = table.columns.get(name);
    if (column?.type === undefined) this.want(table);
    return column ?? {};
  }

  want({ schema = this.#default, name, isComplete }: Wanted): void {
    if (!isComplete) this.wanted.set(tableKey(schema, name), { schema, name });
  }

  fill(name: TableName, sources: readonly TableName[]): void {
    const { filledFrom } = this.table(name);
    for (const source of sources) filledFrom.add(tableKey(this.#schemaOf(source), source.name));
  }

  /** Whether the current file has replaced a view of this name, or made a table with the rows of the old one. */
  isReplaced(name: TableName): boolean {
    const table = this.table(name);
    const isFilled = table.isRenamed && table.filledFrom.has(tableKey(table.schema, table.name));
    return table.madeIn === this.#file && (table.isView || isFilled) === true;
  }

  drop(name: TableName): Table {
    const table = this.table(name);
    if (!this.isNew(table)) this.note("vacated", table.schema, table.name);
    this.#tables.delete(tableKey(table.schema, table.name));
    return table;
  }

  /** It stays the same table for holders of a reference. */
  rename(name: TableName, to: Partial<TableName>): Table {
    const table = this.drop(name);
    Object.assign(table, to, { isRenamed: true });
    this.#tables.set(tableKey(table.schema, table.name), table);
    return table;
  }

  index(name: TableName): Index | undefined {
    const found = this.indexes.get(name.name);
    if (found === undefined) this.want(name);
    return found;
  }

  indexesOf(table: Table): readonly (readonly [name: string, index: Index])[] {
    return [...this.indexes].filter(([, index]) => index.table === table);
  }

  /** Expressions that are computed from a column follow its new name. */
  renameColumn(table: Table, name: string, to: string): void {
    renameKey(table.columns, name, to);
    const renamed = (names: readonly string[]) =>
      names.map((column) => column === name ? to : column);
    for (const [key, check] of table.checks) {
      const { notNull, columns } = check;
      table.checks.set(key, { ...check, notNull: renamed(notNull), columns: renamed(columns) });
    }
    for (const [key, { columns, computedFrom }] of this.indexesOf(table)) {
      const read = computedFrom && { computedFrom: renamed(computedFrom) };
      this.indexes.set(key, { table, columns: renamed(columns), ...read });
    }
  }

  makeType(name: string, type: UserType = {}): void {
    this.#types.set(name, { ...type, madeIn: this.#file });
  }

  type(name: TableName): UserType | undefined {
    const found = this.#types.get(name.name);
    if (found === undefined) this.want(name);
    return found;
  }

  #schemaOf({ schema, name }: TableName): string {
    if (schema !== undefined) return schema;
    return this.#tables.has(tableKey(this.temporary, name)) ? this.temporary : this.#default;
  }
}

export function renameKey<Value>(map: Map<string, Value>, name: string, to: string): void {
  const value = map.get(name);
  if (value !== undefined) map.set(to, value);
  map.delete(name);
}

function tableKey(schema: string, name: string): string {
  return `${schema}\0${name}`;
}
