import { assertEquals } from "@std/assert";
import { exitCodeOfAll } from "../../src/cli/exit_code_of.ts";
import { EXIT } from "../../src/cli/exit_codes.ts";
import {
  ConnectionError,
  HistoryError,
  InterruptedError,
  InvalidFilesError,
  LockedError,
  MigrationFailedError,
} from "../../src/migrations/runner/mod.ts";

/** The worst first. */
const ERRORS: readonly (readonly [Error, number])[] = [
  [new Error("a defect"), EXIT.unexpected],
  [new InterruptedError("logs", "1.json", "unknown"), EXIT.interrupted],
  [new MigrationFailedError("logs", "1.json", "refused"), EXIT.failed],
  [new InvalidFilesError([]), EXIT.invalid],
  [new HistoryError("logs", "damaged"), EXIT.usage],
  [new LockedError("logs", "another run"), EXIT.locked],
  [new ConnectionError("logs", "no answer"), EXIT.connection],
];

Deno.test("exitCodeOfAll() + of any failures the worst, in whatever order they come", () => {
  assertEquals(exitCodeOfAll([]), undefined);
  for (const [index, [worst, code]] of ERRORS.entries()) {
    for (const [other] of ERRORS.slice(index)) {
      assertEquals(exitCodeOfAll([worst, other]), code);
      assertEquals(exitCodeOfAll([other, worst]), code);
    }
  }
});
