/**
 * Makes the check whether what a server gives as the URL of a request is one: Deno gives a target with a host of its own
 * as it was sent.
 */
export function urlCheck(): (url: string) => boolean {
  // Scheme and authority, behind which anything may follow.
  let known: string | undefined;
  return (url) => {
    if (known !== undefined && url.startsWith(known)) return true;
    if (!URL.canParse(url)) return false;
    known = /^[^/]*\/\/[^/\\]+\//.exec(url)?.[0];
    return true;
  };
}
