import type { NamedScheme } from "./types.ts";
import type { BadCredentialsError } from "./errors.ts";

/** `WWW-Authenticate`: a challenge for each scheme, each once (RFC 9110, 11.6.1). */
export function challengesOf(
  schemes: readonly NamedScheme[],
  realm: string,
  failed: ReadonlyMap<NamedScheme, BadCredentialsError>,
): string {
  const byText = new Map<string, string | undefined>();
  for (const named of schemes) {
    const { name, scheme: { challenge = name } } = named;
    byText.set(challenge, byText.get(challenge) ?? failed.get(named)?.description);
  }
  return [...byText].map(([challenge, description]) => {
    const [first = "", ...rest] = challenge.split(" ");
    const parameters = [
      `realm="${realm}"`,
      // Of those whose passwords may have any characters (RFC 7617, 2.1).
      ...(first === "Basic" ? ['charset="UTF-8"'] : []),
      ...(rest.length > 0 ? [rest.join(" ")] : []),
      ...(first === "Bearer" && description
        ? ['error="invalid_token"', `error_description="${description}"`]
        : []),
    ];
    return `${first} ${parameters.join(", ")}`;
  }).join(", ");
}
