import { factoriesOf, isA, ownDefinition } from "./_definitions.ts";
import { fitsProfiles, profilesOf } from "./profile.ts";
import type { Type } from "./types.ts";

export function excludingProfile(
  wanted: Type<unknown> | string,
  components: readonly Type<unknown>[],
  active: readonly string[],
): string | undefined {
  const reason = (place: string, type: Type<unknown>, method?: string) => {
    if (fitsProfiles(type, active, method)) return undefined;
    const names = profilesOf(type, method).flat().map((profile) => `"${profile}"`).join(", ");
    return `${place} has @Profile(${names}), and active are: ${active.join(", ") || "none"}`;
  };
  const own = typeof wanted === "string" ? undefined : reason(wanted.name, wanted);
  if (own) return own;
  for (const component of components) {
    for (
      const { name, type, place, source } of [ownDefinition(component), ...factoriesOf(component)]
    ) {
      const isWanted = typeof wanted === "string"
        ? name === wanted
        : type !== undefined && isA(type, wanted);
      if (!isWanted) continue;
      const method = source.kind === "factory" ? source.method : undefined;
      const found = reason(component.name, component) ?? reason(place, component, method);
      if (found) return found;
    }
  }
  return undefined;
}
