/**
 * Helpers for the tests of applications, and configurations made by hand.
 *
 * @example A bean that reads the configuration
 * ```ts
 * import { createConfig } from "@irori/irori/testing";
 *
 * const config = createConfig({ users: { "page-size": 20 } });
 * console.log(config.number("users.page-size")); // 20
 * ```
 *
 * @module
 */
export {
  type Config,
  type ConfigMap,
  type ConfigValue,
  createConfig,
  type CreateConfigOptions,
} from "../../config/mod.ts";
export { FakeClock } from "./fake_clock.ts";
export { accessTable, type AccessTableOptions, asUser } from "./access_table.ts";
export { type TestApplication, testApplication } from "./test_application.ts";
export {
  VerificationError,
  verify,
  type VerifyOptions,
  type VerifyReport,
  type Violation,
} from "../verify/verify.ts";
