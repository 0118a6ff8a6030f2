import {
  inParallel,
  type Many,
  type ManyOptions,
  run,
  type TargetPart,
} from "../../migrations/runner/mod.ts";
import { SQL } from "../../migrations/sql/offers.ts";
import { partNamer } from "../parts/each.ts";
import { partRunner } from "../parts/run_part.ts";
import { EACH } from "./each.ts";
import { type Tenants, tenantsOf } from "./tenants.ts";

export const TENANTS: Many = {
  parts: (connection) => Promise.resolve([connection]),
  /** Applies the shared files, then the others to each tenant, none of which stops another one. */
  async run(connection, options) {
    return await withParts(connection, options, async ([shared, ...parts], tenants) => {
      const first = shared ? [await run(shared.target, shared.files, options)] : [];
      if (first.some(({ error, stopped }) => error || stopped)) return first;
      const runPart = partRunner(parts.length, options);
      const runTenant = (one: TargetPart) =>
        runPart(one, {
          isLeftOut: tenants.isUnreachable(),
          isGone: async () => {
            const isGone = await tenants.isGone(one.part ?? "");
            const { connection } = one.target;
            if (isGone) options.onEvent?.({ type: "notice", connection, message: GONE });
            return isGone;
          },
        });
      return [...first, ...await inParallel(parts, tenants.atOnce, runTenant)];
    });
  },
  async each(connection, options, work) {
    return await withParts(connection, options, async (parts, { atOnce }) => {
      return await inParallel(parts.filter((part) => part !== undefined), atOnce, work);
    });
  },
};

const GONE = "The tenant disappeared during the run, which goes on without it";

/** Calls with the connection for its shared files, if there are any, and with each tenant for the others. */
async function withParts<T>(
  { target, files }: TargetPart,
  { waitMs, ...options }: ManyOptions,
  work: (parts: readonly [TargetPart | undefined, ...TargetPart[]], tenants: Tenants) => Promise<T>,
): Promise<T> {
  if (waitMs) await (await target.open(options.signal)).close();
  const { datasource, environment } = SQL.of(target)!;
  const asked = { ...options, each: EACH.of(target)! };
  const tenants = await tenantsOf(datasource, environment, asked);
  try {
    const isShared = tenants.shared(files.map(({ path }) => path));
    const { shared, others = [] } = Object.groupBy(files, ({ path }) => {
      return isShared.has(path) ? "shared" : "others";
    });
    const parts = tenants.list.map(({ name: part, ...own }) => {
      const namePartIn = partNamer(target.connection, part);
      return { files: others, target: { ...own.target, folder: target.folder }, part, namePartIn };
    });
    return await work([shared && { target, files: shared }, ...parts], tenants);
  } finally {
    await tenants.close();
  }
}
