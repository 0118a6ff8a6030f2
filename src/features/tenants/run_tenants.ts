import {
  inParallel,
  type Many,
  type ManyOptions,
  run,
  type RunEvent,
  type RunOptions,
  type RunReport,
  type TargetPart,
} from "../../migrations/runner/mod.ts";
import { SQL } from "../../migrations/sql/offers.ts";
import { EACH } from "./each.ts";
import { type Tenants, tenantsOf } from "./tenants.ts";

export const TENANTS: Many = {
  /** Applies the shared files, then the others to each tenant, none of which stops another one. */
  async run(connection, options) {
    const { onEvent, signal } = options;
    return await withParts(connection, options, async ([shared, ...parts], tenants) => {
      const first = shared ? [await run(shared.target, shared.files, options)] : [];
      if (first.some(({ error, stopped }) => error || stopped)) return first;
      const own = { ...options, onEvent: onceEach(onEvent) };
      let position = 0;
      const runPart = async ({ target, files, part = "" }: TargetPart): Promise<RunReport> => {
        const { connection } = target;
        const { error, ...all }: RunReport = signal?.aborted || tenants.isUnreachable()
          ? { connection, results: [], requests: 0, stopped: true }
          : await run(target, files, own);
        const results = all.results.filter(({ outcome }) => outcome !== "skipped");
        const isGone = error && await tenants.isGone(part).catch(() => false);
        const done = all.stopped ? "not run" : results.length > 0 ? "migrated" : "unchanged";
        const outcome = isGone ? "gone" : error ? "failed" : done;
        if (isGone) onEvent?.({ type: "notice", connection, message: GONE });
        const place = { position: ++position, total: parts.length };
        onEvent?.({ type: "part", connection, outcome, results, ...place });
        return { ...all, part, results, outcome, ...(error && !isGone && { error }) };
      };
      return [...first, ...await inParallel(parts, tenants.atOnce, runPart)];
    });
  },
  async each(connection, options, work) {
    return await withParts(connection, options, async (parts, { atOnce }) => {
      return await inParallel(parts.filter((part) => part !== undefined), atOnce, work);
    });
  },
};

const GONE = "The tenant disappeared during the run, which goes on without it";

/** Each notice once: most are about a file, which all tenants have. Files have no events of their own. */
function onceEach(onEvent: RunOptions["onEvent"]): (event: RunEvent) => void {
  const told = new Set<string>();
  return (event) => {
    const key = event.type === "notice" ? `${event.file}\n${event.message}` : "";
    if (key !== "" && !told.has(key)) onEvent?.(event);
    told.add(key);
  };
}

/** Calls with the connection for its shared files, if there are any, and with each tenant for the others. */
async function withParts<T>(
  { target, files }: TargetPart,
  { only, create, signal, waitMs }: ManyOptions,
  work: (parts: readonly [TargetPart | undefined, ...TargetPart[]], tenants: Tenants) => Promise<T>,
): Promise<T> {
  if (waitMs) await (await target.open(signal)).close();
  const { datasource, environment } = SQL.of(target)!;
  const asked = { each: EACH.of(target)!, only, create, signal };
  const tenants = await tenantsOf(datasource, environment, asked);
  try {
    const isShared = tenants.shared(files.map(({ path }) => path));
    const { shared, others = [] } = Object.groupBy(files, ({ path }) => {
      return isShared.has(path) ? "shared" : "others";
    });
    const parts = tenants.list.map(({ name, ...own }) => {
      return { files: others, target: { ...own.target, folder: target.folder }, part: name };
    });
    return await work([shared && { target, files: shared }, ...parts], tenants);
  } finally {
    await tenants.close();
  }
}
