/** The command line: arguments, commands, output, exit codes. */
export { main } from "./main.ts";
