import { PROFILES } from "./_keys.ts";
import {
  addMetadata,
  allMetadata,
  type ClassContext,
  decorator,
  type MethodContext,
  misapplied,
  ownMetadata,
} from "./metadata.ts";
import type { Type } from "./types.ts";

/**
 * Makes a component, or what a `@Bean` method gives, a bean only where one of these profiles is active, or where one
 * with `!` before it is not: `@Profile("dev", "test")`, `@Profile("!prod")`. Of a controller that is left out there are
 * no routes. Several on one target have to fit all.
 *
 * @throws {TypeError} for what is no name of a profile
 */
export function Profile(
  ...profiles: [string, ...string[]]
): (target: unknown, context: ClassContext | MethodContext) => void {
  return decorator("Profile", profiles, (context) => {
    const wrong = profiles.find((profile) => !/^!?[\w.-]+$/.test(profile));
    if (wrong !== undefined || profiles.length === 0) {
      const found = `found '${wrong ?? "nothing"}'`;
      throw misapplied("Profile", context, `expected names such as "dev" or "!prod", ${found}`);
    }
    const member = context.kind === "method" ? context.name : undefined;
    addMetadata(context, PROFILES, { member, value: profiles });
  }, '"dev"');
}

export function fitsProfiles(
  type: Type<unknown>,
  active: readonly string[],
  method?: string,
): boolean {
  return profilesOf(type, method).every((profiles) =>
    profiles.some((profile) =>
      profile.startsWith("!") ? !active.includes(profile.slice(1)) : active.includes(profile)
    )
  );
}

export function profilesOf(type: Type<unknown>, method?: string): readonly (readonly string[])[] {
  const marks = method === undefined ? ownMetadata(type, PROFILES) : allMetadata(type, PROFILES);
  return marks.filter(({ member }) => member === method).map(({ value }) => value);
}
