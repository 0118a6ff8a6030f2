/**
 * Makes new projects: arguments and one question → files → the commands to go on with.
 *
 * @module
 */
export { create } from "./create.ts";
