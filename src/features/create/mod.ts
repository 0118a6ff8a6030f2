/** Creates new projects. */
export { create } from "./create.ts";
