import type { QueriedDatabase, SchemaPlace, Screen, Values } from "../../cli/mod.ts";
import { choice, command, count, flag, text, UsageError } from "../../cli/mod.ts";
import { nearest, printable } from "../../text/mod.ts";
import { jobsSchema, SCHEMA, unsuitable, writtenVersion } from "./tables.ts";

const STATES = {
  waiting: "created",
  retrying: "retry",
  running: "active",
  completed: "completed",
  cancelled: "cancelled",
  failed: "failed",
} as const;

interface Action {
  readonly found: readonly (keyof typeof STATES)[];
  readonly change?: string;
  readonly done?: string;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  list: { found: ["waiting", "retrying", "running", "failed"] },
  retry: {
    found: ["failed"],
    change: "state = 'retry', retry_limit = retry_limit + 1, completed_on = NULL, " +
      "start_after = GREATEST(start_after, now())",
    done: "to run again",
  },
  cancel: {
    found: ["waiting", "retrying", "running"],
    change: "state = 'cancelled', completed_on = now()",
    done: "cancelled",
  },
};

type FoundJob = ReturnType<typeof jobIn>;

const OPTIONS = {
  job: text("name", "only jobs of this name"),
  state: choice("state", Object.keys(STATES), "only jobs in this state (list)"),
  limit: text("number", "how many to list, the newest first (50)"),
  dryRun: flag("only print what would be changed"),
};

export const declared = command({
  name: "jobs",
  operands: ["<action>", "[id...]"],
  description: "list, retry or cancel background jobs (PostgreSQL)",
  options: OPTIONS,
  examples: [
    ["jobs list", "jobs that wait, run or have failed"],
    ["jobs list --job send-webhook --state failed", "with the error of each last run"],
    ["jobs retry 0b7c5d3e-8a54-4b0e-9d7e-0c5a3f0f8a11", "run a failed job once more"],
    ["jobs retry --job send-webhook --dry-run", "show which failed jobs would run"],
    ["jobs cancel --job send-webhook", "jobs of this name that have not ended"],
  ],
  epilogue: `
Actions: list, retry, cancel. 'retry' and 'cancel' take ids, or '--job' for all of a name. A job that runs while it is
cancelled is aborted within half of its lease, and rolled back.
`,
  worked: `
$ irori jobs list --job send-webhook --state failed
0b7c5d3e-8a54-4b0e-9d7e-0c5a3f0f8a11  failed     send-webhook  (2026-11-25T10:30:55Z; 6 attempts)
    Error: 503 Service Unavailable
1 job
$ irori jobs retry --job send-webhook
0b7c5d3e-8a54-4b0e-9d7e-0c5a3f0f8a11  failed     send-webhook  (2026-11-25T10:30:55Z; 6 attempts)
    Error: 503 Service Unavailable
1 job to run again
`,
  async run(context, given) {
    const { globals: { type }, operands: [name = "", ...ids], screen } = context;
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name]! : undefined;
    if (!action) {
      throw new UsageError(`Expected 'list', 'retry' or 'cancel' of 'jobs', found '${name}'`);
    }
    if (type !== "sql") throw new UsageError("Jobs are in SQL databases: expected '-m sql'");
    const where = condition(action, given, ids);
    const limit = action.change === undefined ? limitOf(given.limit) : "ALL";
    using work = await context.migrations();
    const { change, done = "" } = given.dryRun ? { done: "found, nothing is changed" } : action;
    const found = await work.inDatabase(async (database) => {
      await requireSchema(database);
      if (given.job !== undefined) await requireName(database, given.job);
      const read = async (sql: string) => (await database.query(sql)).map(jobIn);
      const update = `UPDATE ${JOBS} SET ${change} WHERE ${where} RETURNING ${COLUMNS}`;
      if (change !== undefined && ids.length === 0) return await read(update);
      const order = `ORDER BY created_on DESC, id LIMIT ${limit}`;
      const list = await read(`SELECT ${COLUMNS} FROM ${JOBS} WHERE ${where} ${order}`);
      requireAll(ids, list, action);
      return change === undefined ? list : await read(update);
    });
    for (const job of found) screen.write(`${lineOf(job, screen)}\n`);
    screen.write(`${count(found.length, "job")}${done && ` ${done}`}\n`);
    context.printJson({ jobs: found });
  },
});

/** The text of `irori new jobs-schema`. @throws {UsageError} */
export async function newSchema({ kind, connection, written }: SchemaPlace): Promise<string> {
  let version = 0;
  for await (const text of written()) version = Math.max(version, writtenVersion(text));
  const sql = await jobsSchema(version);
  if (sql === undefined) {
    throw new UsageError(
      `Nothing to write: a migration has the schema of jobs in version ${version} already, which 'pg-boss' needs`,
    );
  }
  const other = unsuitable(kind);
  if (other === "") return sql;
  throw new UsageError(
    `Cannot write 'jobs-schema' for '${connection}': jobs need PostgreSQL, found ${other}`,
  );
}

function condition(
  { found, change }: Action,
  { job, state, limit, dryRun }: Values<typeof OPTIONS>,
  ids: readonly string[],
): string {
  if (change !== undefined) {
    const wrong = state ? "--state" : limit ? "--limit" : undefined;
    if (wrong) throw new UsageError(`'${wrong}' belongs to 'jobs list'`);
    if ((ids.length > 0) === (job !== undefined)) {
      throw new UsageError("Expected ids of jobs, or '--job <name>' for all of a name");
    }
  } else if (dryRun) throw new UsageError("'--dry-run' belongs to 'jobs retry' and 'jobs cancel'");
  const id = ids.find((one) => !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(one));
  if (id !== undefined) throw new UsageError(`Expected the id of a job, found '${id}'`);
  if (job !== undefined && !/^[\w.\-/]+$/.test(job)) {
    throw new UsageError(
      `Expected the name of a job of letters, digits, '_', '-', '.' and '/', found '${job}'`,
    );
  }
  // With ids, 'list' shows them in every state.
  const states = state
    ? [state]
    : change === undefined && ids.length > 0
    ? Object.keys(STATES)
    : found;
  const names = states.map((one) => `'${STATES[one as keyof typeof STATES]}'`).join(", ");
  return [
    `state IN (${names})`,
    ...job === undefined ? [] : [`name = '${job}'`],
    ...ids.length === 0 ? [] : [`id IN (${ids.map((one) => `'${one}'`).join(", ")})`],
  ].join(" AND ");
}

function limitOf(limit = "50"): string {
  if (/^[1-9]\d{0,5}$/.test(limit)) return limit;
  throw new UsageError(`Expected a number from 1 to 999999 after '--limit', found '${limit}'`);
}

async function requireSchema({ kind, query }: QueriedDatabase): Promise<void> {
  if (unsuitable(kind)) throw new UsageError("Jobs need PostgreSQL: this connection has none");
  const [row] = await query("SELECT to_regclass('irori_jobs.job') AS found");
  if (row?.found) return;
  throw new UsageError(
    "The database has no schema of jobs: write a migration with 'irori new jobs-schema'",
  );
}

async function requireName({ query }: QueriedDatabase, job: string): Promise<void> {
  const names = (await query("SELECT name FROM irori_jobs.queue")).map(({ name }) => `${name}`);
  if (names.includes(job)) return;
  const [near] = nearest(job, names);
  throw new UsageError(`Unknown job '${job}'${near ? `: did you mean '${near}'?` : ""}`);
}

const JOBS = `${SCHEMA}.job`;
const COLUMNS =
  "id::text, name, state::text, retry_count::text AS retries, (started_on IS NULL)::text AS is_new, " +
  `output->>'error' AS error, to_char(created_on AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS at`;

function jobIn(row: Readonly<Record<string, unknown>>) {
  const { id, name, state, retries, is_new: isNew, error, at } = row;
  return {
    id: `${id}`,
    job: `${name}`,
    state: Object.entries(STATES).find(([, own]) => own === state)?.[0] ?? `${state}`,
    attempts: isNew === "true" ? 0 : Number(retries) + 1,
    enqueuedAt: `${at}`,
    ...(error !== null && { error: `${error}` }),
  };
}

function requireAll(ids: readonly string[], list: readonly FoundJob[], { found }: Action): void {
  const missing = ids.find((id) => !list.some((job) => job.id === id.toLowerCase()));
  if (missing === undefined) return;
  throw new UsageError(
    `No job that is ${found.join(", ")} has the id '${missing}': nothing is changed`,
  );
}

function lineOf({ id, job, state, attempts, enqueuedAt, error }: FoundJob, screen: Screen): string {
  const { dim, red, green } = screen.colors;
  const paint = state === "failed" ? red : state === "completed" ? green : String;
  const facts = `(${enqueuedAt}; ${count(attempts, "attempt")})`;
  const reason = error === undefined ? "" : `\n    ${printable(error)}`;
  return `${id}  ${paint(state.padEnd(9))}  ${printable(job)}  ${dim(facts)}${reason}`;
}
