/**
 * Helpers for the tests of applications.
 *
 * @module
 */
export { type TestApplication, testApplication } from "./test_application.ts";
