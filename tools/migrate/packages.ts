/** In place of `src/runtime/shared/packages.ts`: packages of the project are found as its drivers are. */
import { packageMissing, PACKAGES } from "../../src/runtime/shared/packages.ts";
import { ofProject } from "./drivers.ts";

export * from "../../src/runtime/shared/packages.ts";

export function notInstalled(name: keyof typeof PACKAGES): (cause: unknown) => Promise<never> {
  return async (cause) => {
    const found = ofProject(name);
    if (found === undefined) return packageMissing({ name, range: PACKAGES[name] })(cause);
    return await import(/* webpackIgnore: true */ found) as never;
  };
}
