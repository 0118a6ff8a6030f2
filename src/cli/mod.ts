/** The command line: arguments, the commands of the core, output, exit codes; and how features add to them. */
export type { QueriedDatabase } from "../migrations/queries.ts";
export {
  addition,
  command,
  type Context,
  type Feature,
  type MigrationWork,
  type Printed,
  type SchemaPlace,
} from "./command.ts";
export { UsageError } from "./errors.ts";
export { EXIT } from "./exit_codes.ts";
export type { Finding, Places } from "./findings.ts";
export { main } from "./main.ts";
export { choice, flag, list, text, type Values } from "./option.ts";
export { describeDifferences, refuseFiles, tellProblem } from "./report.ts";
export { type Colors, count, grouped, type Screen, type Section, tell } from "./screen.ts";
export { VERSION } from "./version.ts";
