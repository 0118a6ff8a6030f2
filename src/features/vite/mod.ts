/**
 * A plugin for Vite, Vitest and other bundlers: decorators in TypeScript, and the component scan in tests.
 *
 * ```ts ignore
 * import { irori } from "@irori/irori/vite";
 * import { defineConfig } from "vitest/config";
 *
 * export default defineConfig({ plugins: [irori()] });
 * ```
 *
 * @module
 */
export {
  type CompilerPlugin,
  type EsbuildPlugin,
  irori,
  type IroriPlugin,
  type IroriPlugins,
} from "./plugin.ts";
