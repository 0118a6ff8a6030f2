import { type ConfigMap, createConfig } from "../../src/config/mod.ts";
import {
  type ApplicationContext,
  type Constructor,
  createContext,
  type Type,
} from "../../src/container/mod.ts";

/** A context of these classes, with nothing configured. */
export function contextOf(...components: readonly Constructor[]): Promise<ApplicationContext> {
  return createContext({ components, config: createConfig() });
}

/** A context with configuration and overrides. */
export function contextWith(
  components: readonly Constructor[],
  options: {
    readonly config?: ConfigMap;
    readonly overrides?: Iterable<readonly [string | Type<unknown>, unknown]>;
  },
): Promise<ApplicationContext> {
  const { config, overrides } = options;
  return createContext({ components, config: createConfig(config), overrides });
}
