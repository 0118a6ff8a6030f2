/**
 * The command line: parse, call, print, exit code.
 *
 * @module
 */
export { main } from "./main.ts";
