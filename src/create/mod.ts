/**
 * Creates new projects: arguments and one prompt → files → next steps.
 *
 * @module
 */
export { create } from "./create.ts";
