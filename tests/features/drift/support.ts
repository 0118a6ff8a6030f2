import { type Drift, driftOf } from "../../../src/features/drift/drift.ts";
import type { SearchConnection } from "../../../src/migrations/search/mod.ts";
import { type Environment, type Tree, withSession } from "../../migrations/search/runner.ts";

/** The findings of `drift`. */
export function drifted(
  connection: SearchConnection | string,
  tree: Tree,
  options?: Environment,
): Promise<readonly Drift[]> {
  return withSession(connection, tree, (session, files) => driftOf(session, files), options);
}
