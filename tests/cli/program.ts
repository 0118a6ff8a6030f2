/** The command line with all of its features. */
import { programOf } from "../../src/cli/program.ts";
import { MIGRATION_FEATURES } from "../../src/features/migrations.ts";
import { WEB_FEATURES } from "../../src/features/web.ts";

export const ALL_FEATURES = [...MIGRATION_FEATURES, ...WEB_FEATURES];
export const PROGRAM = programOf(ALL_FEATURES);
export const SYNTAX = await PROGRAM.syntax(PROGRAM.names, await PROGRAM.additions());
