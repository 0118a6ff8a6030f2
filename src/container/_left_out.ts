import { factoriesOf, isA, ownDefinition } from "./_definitions.ts";
import { fitsProfiles, profilesOf } from "./profile.ts";
import type { Type } from "./types.ts";

export function excludingProfile(
  wanted: Type<unknown> | string,
  components: readonly Type<unknown>[],
  active: readonly string[],
): string | undefined {
  const said = (place: string, profiles: readonly (readonly string[])[]) => {
    const names = profiles.flat().map((profile) => `"${profile}"`).join(", ");
    return `${place} has @Profile(${names}), and active are: ${active.join(", ") || "none"}`;
  };
  if (typeof wanted !== "string" && !fitsProfiles(wanted, active)) {
    return said(wanted.name, profilesOf(wanted));
  }
  for (const component of components) {
    const isOut = !fitsProfiles(component, active);
    for (
      const { name, type, place, source } of [ownDefinition(component), ...factoriesOf(component)]
    ) {
      const isWanted = typeof wanted === "string"
        ? name === wanted
        : type !== undefined && isA(type, wanted);
      if (!isWanted) continue;
      if (isOut) return said(component.name, profilesOf(component));
      if (source.kind !== "factory" || fitsProfiles(component, active, source.method)) continue;
      return said(place, profilesOf(component, source.method));
    }
  }
  return undefined;
}
