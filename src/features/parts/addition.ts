import { isAtWork } from "../../migrations/runner/attempts.ts";
import { compareCodePoints } from "../../migrations/runner/order.ts";
import { withoutPart } from "../../migrations/runner/problems.ts";
import type { JournalState, PartOutcome } from "../../migrations/runner/mod.ts";
import {
  addition,
  type Colors,
  type Context,
  count,
  grouped,
  type Printed,
  tell,
  text,
  UsageError,
} from "../../cli/mod.ts";
import { printable } from "../../text/mod.ts";
import { ask } from "./ask.ts";
import { matrixOf, numbered, type PartRow, tableOf } from "./table.ts";

export const added = addition({
  options: {
    only: text("names", "only these tenants or clusters of 'migrations.each', separated by commas"),
  },
  globalAfter: "connection",
  migrations({ only: names }, context) {
    const only = names?.split(",").map((name) => name.trim()).filter((name) => name !== "");
    const own = { ask: ask.bind(undefined, context) };
    if (only?.length !== 0) return only ? { ...own, only } : own;
    throw new UsageError("Expected names of tenants or clusters after '--only', found none");
  },
  /** The first failures in full, and for each connection how many parts have which outcome. */
  showRuns(reports, work) {
    const { screen } = work.context;
    const { colors } = screen;
    const parts = reports.filter(({ part }) => part !== undefined);
    const errors = parts.flatMap(({ error }) => error ?? []);
    for (const error of errors.slice(0, SHOWN)) work.tellError(error);
    const more = errors.length - SHOWN;
    if (more > 0) tell(screen, "error", `${more} more: '--json' has all of them`);
    for (
      const [connection, own] of Map.groupBy(parts, (one) => withoutPart(one.connection, one.part))
    ) {
      const outcomes = Map.groupBy(own, ({ outcome }) => outcome);
      const facts = OUTCOMES.filter((outcome) => outcomes.has(outcome))
        .map((outcome) => `${grouped(outcomes.get(outcome)!.length)} ${outcome}`);
      const failed = (outcomes.get("failed") ?? []).map(({ part = "" }) => printable(part));
      const names = [...failed.slice(0, SHOWN), ...failed.length > SHOWN ? ["…"] : []].join(", ");
      const isDone = failed.length === 0 && !outcomes.has("not run");
      const end = isDone ? colors.green("up to date") : colors.red("not up to date");
      const what = `${count(own.length, wordOf(work.context))}: ${facts.join(", ")}`;
      screen.write(`${connection}: ${end}, ${what}${names && `: ${names}`}\n`);
      if (isDone || own.length === 1 || wordOf(work.context) === "tenant") continue;
      const rows = own.map(({ part = "", outcome = "failed", results }): PartRow => ({
        ...{ name: printable(part), cells: [], state: outcome },
        files: /^(?:failed|not run)$/.test(outcome) && results.length === 0
          ? undefined
          : new Map(results.map(({ file, outcome }) => [file, outcome])),
      }));
      show(work.context, [], rows);
    }
  },
  tell(event, screen) {
    if (event.type !== "part") return;
    const { connection, outcome, results, position, total } = event;
    const { colors } = screen;
    const paint = { migrated: colors.green, failed: colors.red }[outcome as string];
    const files = colors.dim(`(${count(results.length, "file")})`);
    if (paint) screen.write(`  ${paint(outcome.padEnd(9))}  ${printable(connection)}  ${files}\n`);
    screen.progress(connection, { done: position, total });
  },
  show(connections, context) {
    const { screen, command = "" } = context;
    const shown = SHOWN_BY[command];
    if (shown === undefined || command !== "status" && wordOf(context) === "tenant") return;
    const parts = connections.flatMap((facts): readonly Part[] => {
      const named = facts.error === undefined ? undefined : /\[(.+)\]$/.exec(facts.connection)?.[1];
      const { part = named, parts = part === undefined ? [] : [part] } = facts;
      const connection = withoutPart(facts.connection, part);
      return parts.map((name) => ({ name, connection, facts }));
    });
    // A part can have a finding and failures.
    const groups = Map.groupBy(parts, ({ name, connection }) => `${connection}[${name}`);
    if (groups.size < 2) return;
    const merged = [...groups.values()].map((same): Part => {
      return { ...same[0]!, facts: Object.assign({}, ...same.map(({ facts }) => facts)) };
    });
    for (const [connection, own] of Map.groupBy(merged, ({ connection }) => connection)) {
      const isAsked = (column: string) =>
        column !== UNMANAGED || own.some(({ facts }) => facts[UNMANAGED]);
      const columns = Object.keys(shown.columns).filter(isAsked);
      const rows = own.map((one) => partRowOf(one, shown, columns, screen.colors));
      screen.write(`${connection}: ${count(own.length, wordOf(context))}\n`, connection);
      show(context, columns, rows);
    }
  },
});

const SHOWN = 10;
const OUTCOMES: readonly PartOutcome[] = ["unchanged", "migrated", "gone", "not run", "failed"];

interface Part {
  readonly name: string;
  readonly connection: string;
  readonly facts: Printed;
}

interface Shown {
  /** The members with files or resources, and their state if they do not say it. */
  readonly lists: Readonly<Record<string, string | undefined>>;
  readonly columns: Readonly<Record<string, readonly string[]>>;
  readonly best: string;
}

const UNMANAGED = "unmanaged";

const SHOWN_BY: Readonly<Record<string, Shown>> = {
  status: {
    lists: { files: undefined },
    columns: { applied: ["applied"], pending: ["pending", "changed"], failed: ["interrupted"] },
    best: "up to date",
  },
  plan: { lists: { steps: "pending" }, columns: { pending: ["pending"] }, best: "up to date" },
  drift: {
    lists: { drift: "differs", [UNMANAGED]: UNMANAGED },
    columns: { differs: ["differs"], [UNMANAGED]: [UNMANAGED] },
    best: "no drift",
  },
};

function wordOf({ globals }: Context): "cluster" | "tenant" {
  return globals.type === "search" ? "cluster" : "tenant";
}

/** Clusters have the same numbers in all commands; tenants are too many for a matrix. */
function show(context: Context, columns: readonly string[], rows: readonly PartRow[]): void {
  const { screen, command } = context;
  const word = wordOf(context);
  const isFleet = word === "cluster";
  const shown = isFleet ? rows.toSorted((a, b) => compareCodePoints(a.name, b.name)) : rows;
  const lines = isFleet
    ? [...tableOf(word, columns, numbered(shown)), ...matrixOf(shown, command === "status")]
    : tableOf(word, columns, shown);
  for (const line of lines) screen.write(`${line}\n`);
}

function partRowOf(
  { name, facts }: Part,
  { lists, columns: states, best }: Shown,
  columns: readonly string[],
  { red, yellow, green }: Colors,
): PartRow {
  const { error, part = name, lockedBy } = facts;
  const known = Object.entries(lists).filter(([list]) => facts[list] !== undefined);
  const stated = known.flatMap(([list, stateOfAll]) =>
    (facts[list] as readonly Listed[])
      .map(({ resource = "", file = resource, state = "" }) => ({
        file,
        state: stateOfAll ?? state,
      }))
  );
  const has = (wanted: string) => stated.some(({ state }) => state === wanted);
  const worst = ["interrupted", "changed", "differs", UNMANAGED].find(has);
  const state = isAtWork(lockedBy as JournalState["lockedBy"])
    ? yellow("another run is at work")
    : worst || error
    ? red(worst ?? (known.length > 0 ? "unknown, in part" : "unknown"))
    : has("pending")
    ? yellow("pending")
    : green(best);
  return {
    name: printable(name),
    cells: columns.map((column) =>
      known.length > 0 ? stated.filter(({ state }) => states[column]!.includes(state)).length : "-"
    ),
    state: part === name || stated.length === 0 ? state : `${state}, as ${printable(part)}`,
    ...known.length > 0 && { files: new Map(stated.map(({ file, state }) => [file, state])) },
  };
}

type Listed = Partial<Readonly<Record<"file" | "resource" | "state", string>>>;
