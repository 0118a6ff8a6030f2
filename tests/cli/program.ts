/** The command line with all of its features. */
import { programOf } from "../../src/cli/program.ts";
import { MIGRATIONS } from "../../src/features/migrations.ts";
import { WEB } from "../../src/features/web.ts";

export const HALVES = [MIGRATIONS, WEB];
export const PROGRAM = programOf(HALVES);
export const SYNTAX = await PROGRAM.syntax(PROGRAM.names, await PROGRAM.additions());
