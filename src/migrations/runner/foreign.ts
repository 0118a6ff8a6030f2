import type { Listing } from "./order.ts";

export interface ForeignFile {
  readonly path: string;
  readonly hash: string;
  readonly listed?: Listing;
}

export interface ForeignFindings {
  readonly histories: readonly ForeignHistory[];
  /** Names of tables that are no history, and that no file makes. @default none */
  readonly tables?: readonly string[];
  /** Whether there is a table that a file makes. @default false */
  readonly isMade?: boolean;
}

export interface ForeignHistory {
  readonly id: string;
  readonly tool: string;
  /** As `--table` names it; absent where it is none. */
  readonly table?: string;
  readonly place: string;
  readonly isEmpty: boolean;
  /** Whether it is beside what the connection works in, and concerns it only where files fit. @default false */
  readonly isElsewhere?: boolean;
  /** Whether its table alone says so, under another name: then it counts only where files fit. @default false */
  readonly isGuessed?: boolean;
  /** Whether the user has no right to read it, so that it may say anything. @default false */
  readonly isUnreadable?: boolean;
  /** Says which row is which file; absent where rows do not tell that. Pure. @param files of ours, in order */
  readonly match?: (files: readonly ForeignFile[]) => ForeignMatch;
}

export interface ForeignMatch {
  /** In the order of the tool; those that no longer count are left out. */
  readonly rows: readonly ForeignRow[];
  /** Files without a row that the tool would never apply, as it has applied later ones. @default none */
  readonly omitted?: readonly string[];
  /** The paths that the tool orders by something else than their names, in its order. @default none */
  readonly order?: readonly string[];
}

export interface ForeignRow {
  readonly name: string;
  readonly path?: string;
  readonly failed?: string;
  /** Whether the tool applies it again when it was edited: then it is as if it never had. @default false */
  readonly repeatable?: boolean;
  /** Whether the tool has no row of it: it follows from a position or a baseline. @default false */
  readonly isImplied?: boolean;
  readonly checksum?: ForeignChecksum;
  /** When it was applied; where that is not known, it is recorded as of now. */
  readonly executedAt?: Date;
  readonly executedBy?: string;
  readonly durationMs?: number;
}

interface ForeignChecksum {
  readonly recorded: string;
  /** The checksums that the tool would record for a content: several where it takes several forms for the same. */
  readonly of: (bytes: Uint8Array) => Promise<readonly string[]>;
  /** The file whose content it is of, where that is not the file of ours; below the connection's folder. */
  readonly original?: string;
}
