import type { PartOutcome } from "../../migrations/runner/mod.ts";
import { addition, count, grouped, tell, text, UsageError } from "../../cli/mod.ts";
import { printable } from "../../text/mod.ts";

/** The option `--only`, and what 'migrate' and 'status' say of tenants. */
export const added = addition({
  options: {
    only: text("names", "only these tenants of 'migrations.each', separated by commas (sql)"),
  },
  globalAfter: "connection",
  migrations({ only: names }) {
    const only = names?.split(",").map((name) => name.trim()).filter((name) => name !== "");
    if (only?.length !== 0) return only ? { only } : {};
    throw new UsageError("Expected names of tenants after '--only', found none");
  },
  /** The first failures in full, and for each connection how many tenants have which outcome. */
  showRuns(reports, work) {
    const { screen } = work.context;
    const { colors } = screen;
    const tenants = reports.filter(({ part }) => part !== undefined);
    const errors = tenants.flatMap(({ error }) => error ?? []);
    for (const error of errors.slice(0, SHOWN)) work.tellError(error);
    const more = errors.length - SHOWN;
    if (more > 0) tell(screen, "error", `${more} more: '--json' has all of them`);
    for (const [connection, own] of Map.groupBy(tenants, connectionOf)) {
      const outcomes = Map.groupBy(own, ({ outcome }) => outcome);
      const parts = OUTCOMES.filter((outcome) => outcomes.has(outcome))
        .map((outcome) => `${grouped(outcomes.get(outcome)!.length)} ${outcome}`);
      const failed = (outcomes.get("failed") ?? []).map(({ part = "" }) => printable(part));
      const names = [...failed.slice(0, SHOWN), ...failed.length > SHOWN ? ["…"] : []].join(", ");
      const isDone = failed.length === 0 && !outcomes.has("not run");
      const end = isDone ? colors.green("up to date") : colors.red("not up to date");
      const what = `${count(own.length, "tenant")}: ${parts.join(", ")}${names && `: ${names}`}`;
      screen.write(`${connection}: ${end}, ${what}\n`);
    }
  },
  async showStatuses(findings, work) {
    const { isAtWork } = await import("../../migrations/runner/mod.ts");
    const { screen } = work.context;
    const { colors } = screen;
    const tenants = findings.filter(({ part }) => part !== undefined);
    for (const [connection, own] of Map.groupBy(tenants, connectionOf)) {
      const width = Math.max(6, ...own.map(({ part = "" }) => printable(part).length));
      const line = (name: string, cells: readonly unknown[], state: string) => {
        const columns = [name.padEnd(width), ...cells.map((cell) => `${cell}`.padStart(7)), state];
        screen.write(`  ${columns.join("  ")}\n`);
      };
      screen.write(`${connection}: ${count(own.length, "tenant")}\n`, connection);
      line("tenant", ["applied", "pending", "failed"], "state");
      for (const { part = "", found } of own) {
        if (found instanceof Error) {
          line(printable(part), ["-", "-", "-"], colors.red("unknown"));
          work.tellError(found);
          continue;
        }
        const number = (...states: readonly string[]) =>
          found.files.filter(({ state }) => states.includes(state)).length;
        const cells = [number("applied"), number("pending", "changed"), number("interrupted")];
        const state = isAtWork(found.lockedBy)
          ? colors.yellow("another run is at work")
          : cells[2]
          ? colors.red("interrupted")
          : number("changed")
          ? colors.red("changed")
          : cells[1]
          ? colors.yellow("pending")
          : colors.green("up to date");
        line(printable(part), cells, state);
      }
    }
  },
});

const SHOWN = 10;
const OUTCOMES: readonly PartOutcome[] = ["unchanged", "migrated", "gone", "not run", "failed"];

/** `shop` of `shop[acme]`. */
function connectionOf(place: { readonly connection: string; readonly part?: string }): string {
  return place.connection.slice(0, -(place.part ?? "").length - 2);
}
