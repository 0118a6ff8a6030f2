/** Configuration: `application.yml`, profiles, module files, placeholders, environment variables. */
export type * from "./types.ts";
export * from "./errors.ts";
export { found, refuseUnknownKeys } from "./_found.ts";
export { leaves, namesAt, scalars } from "./_path.ts";
export { type Misfit, misfitIn, type PlaceholderValue, placeholderValue } from "./config.ts";
export { createConfig, type CreateConfigOptions } from "./create.ts";
