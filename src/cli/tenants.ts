import type { Finding } from "../migrations/commands.ts";
import {
  type ConnectionStatus,
  type FileStatus,
  isAtWork,
  type RunReport,
  type TenantOutcome,
} from "../migrations/runner/mod.ts";
import { printable } from "../text/mod.ts";
import { count, describeError } from "./report.ts";
import { grouped, type Screen } from "./screen.ts";

/** How many failures are printed in full, and how many names. */
const SHOWN = 10;
const OUTCOMES: readonly TenantOutcome[] = ["unchanged", "migrated", "gone", "not run", "failed"];

/** The failures of tenants, and for each connection how many tenants have which outcome. */
export function reportTenants(reports: readonly RunReport[], screen: Screen): void {
  const { colors, logColors } = screen;
  const failed = reports.flatMap(({ error }) => error ?? []);
  for (const error of failed.slice(0, SHOWN)) {
    screen.log(`${logColors.red("error:")} ${describeError(error)}\n`);
  }
  if (failed.length > SHOWN) {
    const rest = count(failed.length - SHOWN, "other tenant");
    screen.log(`${logColors.red("error:")} ${rest} failed; '--json' has the errors of all\n`);
  }
  for (const [connection, own] of Map.groupBy(reports, connectionOf)) {
    const outcomes = Map.groupBy(own, ({ outcome }) => outcome);
    const parts = OUTCOMES.flatMap((outcome) => {
      const found = outcomes.get(outcome) ?? [];
      return found.length === 0 ? [] : [`${grouped(found.length)} ${outcome}`];
    });
    const names = (outcomes.get("failed") ?? []).map(({ tenant = "" }) => printable(tenant));
    const shown = names.slice(0, SHOWN).join(", ") + (names.length > SHOWN ? ", …" : "");
    const isDone = !outcomes.has("failed") && !outcomes.has("not run");
    const end = isDone ? colors.green("up to date") : colors.red("not up to date");
    const requests = own.reduce((sum, report) => sum + report.requests, 0);
    screen.write(
      `${connection}: ${end}, ${count(own.length, "tenant")}: ${parts.join(", ")}` +
        `${names.length > 0 ? `: ${shown}` : ""} ${
          colors.dim(`(${count(requests, "round trip")})`)
        }\n`,
    );
  }
}

/** `shop` of `shop[acme]`. */
function connectionOf(
  { connection, tenant }: { readonly connection: string; readonly tenant?: string },
): string {
  return connection.slice(0, -(tenant ?? "").length - 2);
}

const STATES = ["applied", "pending", "changed", "interrupted", "missing"] as const;

/** For each connection a table with a line for each tenant. */
export function tenantTable(
  findings: readonly Finding<ConnectionStatus | Error>[],
  screen: Screen,
): void {
  const { colors, logColors } = screen;
  const tenants = findings.filter(({ tenant }) => tenant !== undefined);
  for (const [connection, own] of Map.groupBy(tenants, connectionOf)) {
    screen.write(`${connection}: ${count(own.length, "tenant")}\n`);
    const width = Math.max(6, ...own.map(({ tenant = "" }) => printable(tenant).length));
    const line = (name: string, ...cells: readonly string[]) =>
      `  ${name.padEnd(width)}  ${cells.map((cell) => cell.padStart(7)).join("  ")}`;
    screen.write(`${colors.bold(`${line("tenant", "applied", "pending", "failed")}  state`)}\n`);
    for (const { tenant = "", found } of own) {
      const name = printable(tenant);
      if (found instanceof Error) {
        screen.write(`${line(name, "-", "-", "-")}  ${colors.red("unknown")}\n`);
        screen.log(`${logColors.red("error:")} ${describeError(found)}\n`);
        continue;
      }
      const { applied, pending, changed, interrupted, missing } = countsOf(found.files);
      const cells = [applied + missing, pending + changed, interrupted].map((n) => grouped(n));
      const state = isAtWork(found.lockedBy)
        ? colors.yellow("another run is at work")
        : interrupted > 0
        ? colors.red("interrupted")
        : pending + changed > 0
        ? colors.yellow(changed > 0 ? "changed" : "pending")
        : colors.green("up to date");
      screen.write(`${line(name, ...cells)}  ${state}\n`);
    }
  }
}

function countsOf(files: readonly FileStatus[]): Readonly<Record<FileStatus["state"], number>> {
  const numberOf = (state: string) => files.filter((file) => file.state === state).length;
  return Object.fromEntries(STATES.map((state) => [state, numberOf(state)])) as Record<
    FileStatus["state"],
    number
  >;
}
