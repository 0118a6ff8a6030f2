/** How far a backfill is. */
export interface BackfillState {
  /** Path below the folder of its connection. */
  readonly file: string;
  /** `running`: begun, and neither paused nor done. */
  readonly state: "pending" | "running" | "paused" | "done";
  /** Rows that were changed since it began. */
  readonly rows?: number;
  /** Whether its file was edited since it began. */
  readonly isEdited?: boolean;
}
