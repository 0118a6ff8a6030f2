import type { ColumnType } from "./column_types.ts";
import type { TableName } from "./rules.ts";

/** What is known of a column. */
export interface Column {
  readonly type?: ColumnType;
  readonly notNull?: boolean;
}

/** A `CHECK`. */
export interface Check {
  readonly isValidated: boolean;
  /** The column that it keeps from being NULL, where that is all it says. */
  readonly notNull?: string;
}

/** What is known of a table, a view or a materialised view. */
export interface Table {
  readonly name: string;
  readonly schema: string;
  /** The file that makes it. */
  readonly madeIn?: string;
  readonly columns: Map<string, Column>;
  readonly checks: Map<string, Check>;
  isPartitioned?: boolean;
  /** Whether it had another name before. */
  readonly isRenamed?: boolean;
  /** Whether all of its columns and checks are known. */
  isComplete: boolean;
}

/** What the live database says of a table. */
export interface TableFacts extends TableName {
  readonly columns: readonly (readonly [name: string, column: Column])[];
  readonly checks: readonly (readonly [name: string, check: Check])[];
  readonly isPartitioned: boolean;
  /** About how many, as the database estimates. */
  readonly rows?: number;
  /** Indexes included. */
  readonly bytes?: number;
}

/** An index: its table and columns. */
export interface Index {
  readonly table: Table;
  /** Those that are expressions are left out. */
  readonly columns: readonly string[];
}

/** Follows what files do to tables, as far as rules have to know it. */
export class Schema {
  readonly #tables = new Map<string, Table>();
  readonly #indexes = new Map<string, Index>();
  readonly #wanted = new Map<string, TableName>();
  #file = "";

  /**
   * @param initial schema of names that have none
   * @param isOneRun whether all files are applied in one run: then a table that an earlier one makes is new, too
   */
  constructor(private readonly initial: string, private readonly isOneRun: boolean) {
    this.#default = initial;
  }

  #default: string;

  /** A file begins, in a session as new. */
  begin(file: string): void {
    this.#file = file;
    this.#default = this.initial;
  }

  /** A statement sets the `search_path`. */
  searchIn(schema: string | undefined): void {
    this.#default = schema ?? this.initial;
  }

  /** Takes what the database says of tables that the files know nothing of. */
  learn(facts: readonly TableFacts[]): void {
    for (const { name, schema = this.initial, columns, checks, isPartitioned } of facts) {
      this.#tables.set(keyOf(schema, name), {
        ...{ name, schema, isPartitioned, isComplete: true },
        columns: new Map(columns),
        checks: new Map(checks),
      });
    }
  }

  /** Tables that rules would have to know more of. */
  get wanted(): readonly TableName[] {
    return [...this.#wanted.values()];
  }

  /** A file makes a table. */
  make(name: TableName, columns: Iterable<readonly [string, Column]> = []): Table {
    const schema = name.schema ?? this.#default;
    const table: Table = {
      ...{ name: name.name, schema, madeIn: this.#file, isComplete: true },
      columns: new Map(columns),
      checks: new Map(),
    };
    this.#tables.set(keyOf(schema, name.name), table);
    return table;
  }

  /** What is known of a table; what is learned of one that no file made is kept. */
  table(name: TableName): Table {
    const schema = name.schema ?? this.#default;
    const key = keyOf(schema, name.name);
    let table = this.#tables.get(key);
    if (table === undefined) {
      table = {
        ...{ name: name.name, schema, isComplete: false },
        columns: new Map(),
        checks: new Map(),
      };
      this.#tables.set(key, table);
    }
    return table;
  }

  /** Whether nobody else uses it yet. */
  isNew({ madeIn }: Table): boolean {
    return madeIn !== undefined && (this.isOneRun || madeIn === this.#file);
  }

  /** What is known of a column; the database may know more. */
  column(table: Table, name: string): Column {
    const column = table.columns.get(name);
    if (column?.type === undefined && !table.isComplete) this.want(table);
    return column ?? {};
  }

  /** Says that rules would have to know more of it. */
  want({ schema, name, isComplete }: Table): void {
    if (!isComplete) this.#wanted.set(keyOf(schema, name), { schema, name });
  }

  drop(name: TableName): void {
    const { schema } = this.table(name);
    this.#tables.delete(keyOf(schema, name.name));
  }

  /** @param to a name, or another schema */
  rename(name: TableName, to: Partial<TableName>): void {
    const table = this.table(name);
    this.#tables.delete(keyOf(table.schema, table.name));
    const moved = { ...table, ...to, isRenamed: true };
    this.#tables.set(keyOf(moved.schema, moved.name), moved);
  }

  /** Notes an index. */
  addIndex(name: string, index: Index): void {
    this.#indexes.set(name, index);
  }

  index(name: string): Index | undefined {
    return this.#indexes.get(name);
  }
}

function keyOf(schema: string, name: string): string {
  return `${schema}\0${name}`;
}
