/**
 * Clusters that an earlier version has migrated, as its runs left them: finished, failed, or killed before one of their
 * requests. What it did with them afterwards was recorded, and is what the present version has to do.
 */
import { assertEquals } from "@std/assert";
import { depth } from "../long/mod.ts";
import { clusterTest, PLAIN } from "../servers/real.ts";
import { Outcomes } from "./outcomes.ts";
import { recorded } from "./recorded.ts";
import { type OwnIndices, playSearch, type Scenario, statesOf } from "./search_state.ts";

const [ownIndices, ...scenarios]: [OwnIndices, ...Scenario[]] = JSON.parse(
  `[${(await recorded("search_states.jsonl")).trimEnd().replaceAll("\n", ",")}]`,
);
const outcomes = await Outcomes.read("search_outcomes.txt");

for (const [index, state] of scenarios.flatMap(statesOf).entries()) {
  if (index % depth(2, 1) !== 0) continue;
  clusterTest(PLAIN, `a cluster that was recorded is continued: ${state.name}`, async ({ url }) => {
    assertEquals(await playSearch(url, state, ownIndices), outcomes.of(state.name));
  });
}
