/**
 * Databases that an earlier version has migrated, as its runs left them: finished, failed, or killed. What it did with them
 * afterwards was recorded, and is what the present version has to do.
 */
import { assertEquals } from "@std/assert";
import { depth } from "../long/mod.ts";
import { ENGINES } from "./databases.ts";
import { Outcomes } from "./outcomes.ts";
import { recorded } from "./recorded.ts";
import { playSql, type SqlState } from "./sql_state.ts";

/** The statements that make the table of the records by engine; then the states. */
const [table, ...states]: [Record<string, string>, ...SqlState[]] = JSON.parse(
  `[${(await recorded("sql_states.jsonl")).trimEnd().replaceAll("\n", ",")}]`,
);
const outcomes = await Outcomes.read("sql_outcomes.txt");

for (const [index, state] of states.entries()) {
  for (const [place, engine] of ENGINES.entries()) {
    if (index % depth(2, 1) !== place % depth(2, 1)) continue;
    Deno.test({
      name: `a database of ${engine.title} that was recorded is continued: ${state.name}`,
      ignore: engine.isMissing,
      fn: async () => {
        const found = await playSql(engine, state, table[engine.name]!);
        assertEquals(found, outcomes.of(`${state.name} (${engine.name})`));
      },
    });
  }
}
