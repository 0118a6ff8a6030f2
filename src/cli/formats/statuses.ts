import type { Finding as Found } from "../../migrations/commands.ts";
import type { ConnectionStatus, FileStatus } from "../../migrations/runner/mod.ts";
import { errorFindings } from "./errors.ts";
import type { Places } from "./files.ts";
import type { Finding } from "./finding.ts";

const STATES: Readonly<
  Record<Exclude<FileStatus["state"], "applied">, Pick<Finding, "severity" | "message">>
> = {
  pending: { severity: "notice", message: "The file is not applied yet" },
  changed: { severity: "warning", message: "The file was changed after it was applied" },
  interrupted: {
    severity: "error",
    message: "A run stopped in this file: 'status' says what is known, 'resolve' resolves it",
  },
  missing: { severity: "notice", message: "The file was applied and does not exist any more" },
};

export function statusFindings(
  places: Places,
  found: readonly Found<ConnectionStatus | Error>[],
  isChecked: boolean,
): readonly Finding[] {
  return found.flatMap(({ connection, tenant, found }) => {
    const own = tenant !== undefined && { tenant: connection };
    if (found instanceof Error) {
      return errorFindings(places, found, connection).map((finding) => ({ ...finding, ...own }));
    }
    return found.files.flatMap(({ state, file }): readonly Finding[] => {
      if (state === "applied") return [];
      const fails = isChecked && state !== "missing" && { severity: "error" as const };
      const place = { rule: `${state}-file`, file: places.file(connection, file) };
      return [{ ...STATES[state], ...fails, ...place, ...own }];
    });
  });
}
