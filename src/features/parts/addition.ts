import { isAtWork } from "../../migrations/runner/attempts.ts";
import { InterruptedError } from "../../migrations/runner/errors.ts";
import { compareCodePoints } from "../../migrations/runner/order.ts";
import { withoutPart } from "../../migrations/runner/problems.ts";
import type { JournalState, PartOutcome, RunReport } from "../../migrations/runner/mod.ts";
import {
  addition,
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
    if (only?.length !== 0) return { ask: ask.bind(undefined, context), ...only && { only } };
    throw new UsageError("Expected names of tenants or clusters after '--only', found none");
  },
  /** The first failures in full, and for each connection how many parts have which outcome. */
  showRuns(reports, work) {
    const { screen, screen: { colors } } = work.context;
    const parts = reports.filter(({ part }) => part !== undefined);
    const errors = reports.flatMap(({ outcome, error }) => outcome && error ? error : []);
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
      const isStopped = outcomes.has("not run") || own.some(({ stopped }) => stopped);
      const isDone = failed.length === 0 && !isStopped;
      const end = isDone ? colors.green("up to date") : colors.red("not up to date");
      const what = `${count(own.length, wordOf(work.context))}: ${facts.join(", ")}`;
      screen.write(`${connection}: ${end}, ${what}${names && `: ${names}`}\n`);
      if (isDone || own.length === 1 || wordOf(work.context) === "tenant") continue;
      show(work.context, [], own.map(runRowOf));
    }
  },
  tell(event, screen) {
    if (event.type !== "part") return;
    const { connection, outcome, results, position, total } = event;
    const { colors } = screen;
    const paint = { migrated: colors.green, failed: colors.red }[outcome as string];
    const tried = results.filter(({ outcome }) => outcome !== "not run");
    const files = colors.dim(`(${count(tried.length, "file")})`);
    if (paint) screen.write(`  ${paint(outcome.padEnd(9))}  ${printable(connection)}  ${files}\n`);
    for (const { file, note } of results) {
      if (note !== undefined) screen.write(`    ${printable(file)}: ${note}\n`);
    }
    screen.progress(connection, { done: position, total });
  },
  show(connections, context) {
    const { screen, command = "" } = context;
    const all = COLUMNS[command];
    if (all === undefined || command !== "status" && wordOf(context) === "tenant") return;
    const parts = connections.flatMap((facts): readonly Part[] => {
      const named = facts.error === undefined ? undefined : /\[(.+)\]$/.exec(facts.connection)?.[1];
      const { part = named, parts = part === undefined ? [] : [part] } = facts;
      const connection = withoutPart(facts.connection, part);
      return parts.map((name) => ({ name, connection, facts }));
    });
    // A part can have a finding and failures.
    const merged = new Map<string, Part>();
    for (const one of parts) {
      const key = `${one.connection}[${one.name}`;
      merged.set(key, { ...one, facts: { ...merged.get(key)?.facts, ...one.facts } });
    }
    if (merged.size < 2) return;
    for (const [connection, own] of Map.groupBy(merged.values(), (one) => one.connection)) {
      const isAsked = own.some(({ facts }) => facts.unmanaged !== undefined);
      const columns = Object.keys(all).filter((column) => column !== "unmanaged" || isAsked);
      const rows = own.map((one) => partRowOf(one, columns.map((name) => all[name]!), context));
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

/** The columns of a command with the states that they count. */
const COLUMNS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  status: { applied: ["applied"], pending: ["pending", "changed"], failed: ["interrupted"] },
  plan: { pending: ["pending"] },
  drift: { differs: ["differs"], unmanaged: ["unmanaged"] },
};

/** The members with files or resources, and the state of these if they do not say it. */
const LISTS = { files: "", steps: "pending", drift: "differs", unmanaged: "unmanaged" };

function wordOf({ globals }: Pick<Context, "globals">): "cluster" | "tenant" {
  return globals.type === "search" ? "cluster" : "tenant";
}

/** Clusters have the same numbers in all commands; tenants are too many for a matrix. */
function show(context: Context, columns: readonly string[], rows: readonly PartRow[]): void {
  const { screen, command } = context;
  const word = wordOf(context);
  const clusters = rows.toSorted((a, b) => compareCodePoints(a.name, b.name));
  const lines = word === "tenant" ? tableOf(word, columns, rows) : [
    ...tableOf(word, columns, numbered(clusters)),
    ...matrixOf(clusters, command === "status" ? "not its file" : "nothing to do"),
  ];
  for (const line of lines) screen.write(`${line}\n`);
}

/** Files of a part that did not come to its plan are not known. */
function runRowOf({ part = "", outcome, stopped, results, error }: RunReport): PartRow {
  const done = results.map(({ file, outcome }) => [file, outcome] as const);
  const begun = error instanceof InterruptedError ? [[error.file, "interrupted"] as const] : [];
  const isPlanned = results.length > 0 || outcome === "unchanged";
  return {
    ...{ name: printable(part), cells: [], state: stopped && isPlanned ? "stopped" : `${outcome}` },
    files: new Map([...done, ...begun]),
    others: isPlanned ? "" : error ? "unknown" : "not run",
  };
}

function partRowOf(
  { name, facts, facts: { error, part = name, lockedBy } }: Part,
  columns: readonly (readonly string[])[],
  { command, screen: { colors: { red, yellow, green } } }: Context,
): PartRow {
  const known = Object.entries(LISTS).filter(([list]) => facts[list] !== undefined);
  const stated = known.flatMap(([list, stateOfAll]) =>
    (facts[list] as readonly Listed[]).map(({ resource = "", file = resource, state = "" }) =>
      [file, stateOfAll || state] as const
    )
  );
  const has = (wanted: string) => stated.some(([, state]) => state === wanted);
  const worst = ["interrupted", "changed", "differs", "unmanaged"].find(has);
  const state = isAtWork(lockedBy as JournalState["lockedBy"])
    ? yellow("another run is at work")
    : worst || error
    ? red(worst ?? (known.length > 0 ? "unknown, in part" : "unknown"))
    : has("pending")
    ? yellow("pending")
    : green(command === "drift" ? "no drift" : "up to date");
  return {
    name: printable(name),
    cells: columns.map((counted) =>
      known.length > 0 ? stated.filter(([, state]) => counted.includes(state)).length : "-"
    ),
    state: part === name || stated.length === 0 ? state : `${state}, as ${printable(part)}`,
    ...known.length > 0 && { files: new Map(stated) },
  };
}

type Listed = Partial<Readonly<Record<"file" | "resource" | "state", string>>>;
