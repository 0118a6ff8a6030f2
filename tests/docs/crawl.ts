/** The problems of a site. */
export interface Crawl {
  /** Paths of its pages. */
  readonly pages: readonly string[];
  /** Links to files or anchors that there are not, with the page that has them. */
  readonly dead: readonly string[];
}

/** Follows all links of a site from its first page. Links to other hosts are not followed. */
export async function crawl(url: string): Promise<Crawl> {
  const pages = new Map<string, Page>();
  const others = new Map<string, boolean>();
  const pending = ["/"];
  for (const path of pending) {
    const response = await fetch(url + path);
    const isPage = response.headers.get("content-type")?.startsWith("text/html");
    const text = await response.text();
    if (!response.ok || !isPage) {
      others.set(path, response.ok);
      continue;
    }
    const page = pageOf(text, new URL(path, url));
    pages.set(path, page);
    for (const { pathname } of page.links) {
      if (!pending.includes(pathname)) pending.push(pathname);
    }
  }
  const dead: string[] = [];
  for (const [path, { links }] of pages) {
    for (const { pathname, hash } of links) {
      const target = pages.get(pathname);
      const anchor = decodeURIComponent(hash.slice(1));
      const exists = target ? anchor === "" || target.ids.has(anchor) : others.get(pathname);
      if (!exists) dead.push(`${path} → ${pathname}${hash}`);
    }
  }
  return { pages: [...pages.keys()], dead };
}

interface Page {
  readonly ids: ReadonlySet<string>;
  /** Links to the same host. */
  readonly links: readonly URL[];
}

function pageOf(html: string, url: URL): Page {
  const links = [...html.matchAll(/<(?:a|img|link|script)\s[^>]*?\b(?:href|src)="([^"]+)"/g)]
    .map(([, target = ""]) => new URL(target.replaceAll("&amp;", "&"), url))
    .filter(({ origin }) => origin === url.origin);
  const ids = new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id));
  return { ids, links };
}
