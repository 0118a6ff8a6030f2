import { dirname, join, relative } from "@std/path/posix";
import { outsideBlocks } from "./blocks.ts";

/** Where links of a page lead that are not to other hosts. */
export interface Destinations {
  /** The page's path in the repository. */
  readonly page: string;
  /** The path on the site of a file of the repository; absent where it does not exist. */
  readonly onSite: (path: string) => string | undefined;
  /** Address of the repository, which has what the site has not; absent where it has none yet. */
  readonly repository?: string;
}

/**
 * Makes links between files of the repository links of the site, or of the repository's own pages. Where there is no
 * such address, the text stays, and the path beside it.
 */
export function rewriteLinks(markdown: string, destinations: Destinations): string {
  return outsideBlocks(
    markdown,
    (text) =>
      text.replace(LINK, (whole, label: string, target: string, anchor = "") => {
        const path = join(dirname(destinations.page), target);
        const page = destinations.onSite(path);
        if (page !== undefined) {
          const here = dirname(destinations.onSite(destinations.page) ?? destinations.page);
          return whole.replace(`(${target}${anchor})`, `(${relativePath(here, page)}${anchor})`);
        }
        const { repository } = destinations;
        if (repository !== undefined) return `[${label}](${repository}/blob/main/${path}${anchor})`;
        return label === `\`${path}\`` ? label : `${label} (\`${path}\`)`;
      }),
  );
}

/** The same links from the top of the site, for a text that stands there. */
export function linksFromTop(markdown: string, path: string): string {
  return outsideBlocks(
    markdown,
    (text) =>
      text.replace(LINK, (_, label: string, target: string, anchor = "") => {
        return `[${label}](${join(dirname(path), target)}${anchor})`;
      }),
  );
}

/** `[text](path#anchor)`, of a path that is neither an address nor an anchor alone. */
const LINK = /\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\((?!\w+:|#|\/)([^)\s#]+)(#[^)\s]*)?\)/g;

function relativePath(from: string, to: string): string {
  const path = relative(`/${from}`, `/${to}`);
  return path.startsWith(".") ? path : `./${path}`;
}
