/** Makes the check of the URL of a request: Deno gives a target with a host of its own as it was sent. */
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
