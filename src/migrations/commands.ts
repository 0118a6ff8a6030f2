import { ConfigError } from "../config/mod.ts";
import {
  connectionsOf,
  type ConnectionsOptions,
  filesIn,
  type Finding,
  type MigrationType,
  partsOf,
  targetsOf,
} from "./connections.ts";
import {
  baseline,
  type BaselineOptions,
  ConnectionError,
  type ConnectionStatus,
  type FailureOptions,
  type ManyOptions,
  partsName,
  type PlannedRun,
  previewRun,
  problemsIn,
  problemsOf,
  type Resolution,
  resolve,
  type ResolveAnswer,
  run,
  type RunReport,
  type Session,
  statusOf,
  type TargetPart,
  withoutPart,
} from "./runner/mod.ts";

export * from "./connections.ts";

export type CommandOptions = ManyOptions & ConnectionsOptions & FailureOptions;

/** Stops at the first connection that fails, if it was reached; failures of a run are in its report. */
export async function runMigrations(
  type: MigrationType,
  options: CommandOptions,
): Promise<readonly RunReport[]> {
  const { onEvent, signal, yes } = options;
  const reports: RunReport[] = [];
  for (const connection of await connectionsOf(type, options)) {
    const { target, files } = connection;
    const many = await target.features.first((one) => one.many?.(target));
    const found = many
      ? await many.run(connection, options).catch((error) => {
        if (reports.length === 0) throw error;
        return [{ connection: target.connection, results: [], requests: 0, stopped: false, error }];
      })
      : [await run(target, files, { onEvent, signal, yes })];
    for (const report of found) reports.push(report);
    if (found.some(({ results }) => results.some(({ outcome }) => outcome.endsWith("applied")))) {
      await target.features.each((one) => one.applied?.(target, signal));
    }
    const isOver = found.some(({ error }) => error && !(error instanceof ConnectionError));
    if (isOver || signal?.aborted) break;
  }
  return reports;
}

export async function migrationStatus(
  type: MigrationType,
  options: CommandOptions,
): Promise<readonly Finding<ConnectionStatus | Error>[]> {
  const look = (session: Session, { files }: TargetPart) => statusOf(session, files);
  return await withEach(await connectionsOf(type, options), options, look);
}

export async function planMigrations(
  type: MigrationType,
  options: CommandOptions,
): Promise<readonly Finding<PlannedRun>[]> {
  return await inEach(type, options, (session, { files }) => previewRun(session, files, options));
}

/** One finding for all parts for which it is the same. */
export function mergeParts<T>(findings: readonly Finding<T>[]): readonly Finding<T>[] {
  const groups = Map.groupBy(findings, ({ connection, part, found }) => {
    return part && JSON.stringify([withoutPart(connection, part), found]);
  });
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first!.part === undefined || others.length === 0) return [first!, ...others];
    const parts = [first!, ...others].flatMap(({ part }) => part ?? []);
    return { ...first!, connection: partsName(first!.connection, others.length), parts };
  });
}

export async function validateMigrations(type: MigrationType, options: CommandOptions) {
  const parts = await Array.fromAsync(await targetsOf(type, options), async (target) => {
    return await partsOf({ target, files: await filesIn(target, options) }, options);
  });
  return await Promise.all(
    parts.flat().map(async ({ target, files, part }) => {
      const problems = await target.withValues(files)
        .then((filled) => problemsOf(target, filled), problemsIn);
      return { connection: target.connection, part, found: { files: files.length, problems } };
    }),
  );
}

export async function baselineMigrations(
  type: MigrationType,
  which: BaselineOptions,
  options: CommandOptions,
): Promise<readonly Finding<readonly string[]>[]> {
  const named = which.until ?? which.changed;
  return await inEach(type, options, async (session, { files }) => {
    if (named !== undefined && !files.some(({ path }) => path === named)) return undefined;
    return await baseline(session, files, which, options.signal);
  }, named === undefined ? named : `No enabled connection has a file '${named}'`);
}

const NOT_CUT_OFF = "resolve '%': no interrupted file has this path; 'irori status' lists them";
const NOTHING: Readonly<Partial<Record<ResolveAnswer, string>>> = {
  abandon:
    "abandon '%': no interrupted file with an unfinished copy has this path; 'irori status' lists them",
  cancel: "cancel '%': the server runs no statement of it for a killed run",
};

/** A path that begins with the name of a connection means a file of this connection only. @throws {ConfigError} */
export async function resolveMigration(
  type: MigrationType,
  path: string,
  answer: ResolveAnswer,
  options: CommandOptions,
): Promise<readonly Finding<Resolution>[]> {
  const names = (await targetsOf(type, options)).map(({ connection }) => connection);
  const connection = names.find((name) => path.startsWith(`${name}/`));
  const where = connection === undefined ? options : { ...options, connection };
  const none = `Cannot ${(NOTHING[answer] ?? NOT_CUT_OFF).replace("%", () => path)}`;
  return await inEach(type, where, async (session, { files }) => {
    const settle = (path: string) => resolve(session, files, path, answer, options.signal);
    const found = await settle(path);
    return found || !connection ? found : await settle(path.slice(connection.length + 1));
  }, none);
}

/** Runs `work` for each connection, and returns those for which it finds something. @throws {ConfigError} `none` if there is no such one */
export async function inEach<T>(
  type: MigrationType,
  { onFailure, ...options }: CommandOptions,
  work: (session: Session, connection: TargetPart) => Promise<T | undefined>,
  none?: string,
): Promise<readonly Finding<T>[]> {
  const connections = await connectionsOf(type, options);
  const findings = await withEach(connections, options, work, onFailure === undefined);
  if (none && findings.every(({ found }) => found === undefined)) throw new ConfigError(none);
  return findings.flatMap(({ found, ...place }) => {
    if (found instanceof Error) onFailure?.(found, place.connection);
    return found === undefined || found instanceof Error ? [] : [{ ...place, found }];
  });
}

/** In the order of connections, and of the parts of those that have some. Failures are findings, or thrown. */
export async function withEach<T>(
  connections: readonly TargetPart[],
  options: CommandOptions,
  work: (session: Session, connection: TargetPart) => Promise<T>,
  areThrown = false,
): Promise<readonly Finding<T | Error>[]> {
  const onError = (error: Error, part?: string) => {
    options.signal?.throwIfAborted();
    if (!areThrown) return error;
    throw Object.assign(error, part && { message: `${part}: ${error.message}` });
  };
  const findings: Finding<T | Error>[] = [];
  const find = async (one: TargetPart) => {
    const { target, target: { connection }, part } = one;
    const found = await target.open(options.signal)
      .then((session) => work(session, one).finally(() => session.close()))
      .catch((error) => onError(one.namePartIn?.(error) ?? error, part && connection));
    return { connection, ...(part !== undefined && { part }), found };
  };
  for (const one of connections) {
    const { connection, features } = one.target;
    const many = await features.first((feature) => feature.many?.(one.target));
    const found = many
      ? await many.each(one, options, find)
        .catch((error) => [{ connection, found: onError(error) }])
      : [await find(one)];
    for (const finding of found) findings.push(finding);
  }
  return findings;
}
