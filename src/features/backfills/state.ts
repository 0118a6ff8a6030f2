/** How far a backfill is. */
export interface BackfillState {
  /** Path below the folder of its connection. */
  readonly file: string;
  /** `begun`: whether a run is at work or not. */
  readonly state: "pending" | "begun" | "paused" | "done";
  /** The first time through the keys is 1; 0 before it. */
  readonly round?: number;
  /** Keys that were read in all rounds. */
  readonly keys?: number;
  /** Rows that were changed since it began. */
  readonly rows?: number;
  /** Whether its file was edited since it began. */
  readonly isEdited?: boolean;
}
