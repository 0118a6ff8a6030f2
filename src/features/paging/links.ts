import type { PageMetadata, SliceMetadata } from "./page.ts";

/** The pages that one page leads to, by the relation of the link (https://www.iana.org/assignments/link-relations). */
export function relatedPages(
  page: PageMetadata | SliceMetadata,
): ReadonlyMap<"first" | "prev" | "next" | "last", number> {
  const { number } = page;
  // Where there is nothing, the first page is the one to show that.
  const last = "totalPages" in page ? Math.max(page.totalPages, 1) : undefined;
  const hasNext = "hasNext" in page ? page.hasNext : number < page.totalPages;
  const pages = new Map<"first" | "prev" | "next" | "last", number>([["first", 1]]);
  if (number > 1) pages.set("prev", Math.min(number - 1, last ?? number));
  if (hasNext) pages.set("next", number + 1);
  if (last !== undefined) pages.set("last", last);
  return pages;
}

/**
 * A `Link` header (RFC 8288, 3) to other pages, with the parameters of the request but for the page. Each is a query
 * alone, relative to what the client asked for (RFC 3986, 5.2.2): no proxy, host or path in between has to be known.
 *
 * @param maxPage the last one that may be asked for: no link leads to what would be refused
 * @returns `undefined` where it would be too long for what reads headers
 */
export function linkHeader(
  url: string,
  page: PageMetadata | SliceMetadata,
  maxPage: number = Infinity,
): string | undefined {
  const kept = queryOf(url).split("&").filter((pair) => pair !== "" && !isPage(pair));
  const pages = [...relatedPages(page)].filter(([, number]) => number <= maxPage);
  const links = pages.map(([relation, number]) =>
    `<?${[...kept, `page=${number}`].join("&")}>; rel="${relation}"`
  );
  const header = links.join(", ");
  return header.length > MAX_LENGTH ? undefined : header;
}

/** Proxies may allow as little as 4 kB for all headers of an answer. */
const MAX_LENGTH = 3000;

/** The query of a URL, as a reference may have it (RFC 3986, 3.4), also where the runtime gives it as it was sent. */
function queryOf(url: string): string {
  const [, query = ""] = /^[^?#]*\?([^#]*)/.exec(url) ?? [];
  if (PLAIN.test(query)) return query;
  // Its parser encodes what is not ASCII, and leaves some of what is.
  return new URL(url).search.slice(1).replace(FOREIGN, encodeURIComponent);
}

/** A text without other characters needs no encoding, and no parsing, which takes longer than all the rest. */
const PLAIN = /^(?:[\w.~!$()*+,:;=@/?&-]|%[\dA-Fa-f]{2})*$/;

/** No query of a reference contains these characters. */
const FOREIGN = /[^\w.~!$&'()*+,:;=@/?%-]|%(?![\dA-Fa-f]{2})/g;

/** Whether a pair of a query is the page, however that is encoded. */
function isPage(pair: string): boolean {
  if (pair === "page" || pair.startsWith("page=")) return true;
  return pair.includes("%") && new URLSearchParams(pair).has("page");
}
