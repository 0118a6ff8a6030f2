import axe from "axe-core";
import type { Browser, Page } from "playwright-core";

/** The viewport of a phone. */
export const PHONE = { width: 390, height: 844 };

/** The problems that axe-core finds on a page, each with the first element that has it. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate("axe.run()") as axe.AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.length} × ${nodes[0]?.html}`);
}

/** How a page is loaded. */
export interface Load {
  /** Milliseconds until its largest element is painted. */
  readonly largest: number;
  /** The sum of its layout shifts. */
  readonly shift: number;
}

/** Loads a page without anything in the browser's cache, in a context of its own. @param runtime that was chosen before */
export async function load(browser: Browser, url: string, runtime?: string): Promise<Load> {
  const context = await browser.newContext({ viewport: PHONE });
  try {
    const page = await context.newPage();
    if (runtime !== undefined) {
      await page.addInitScript(`localStorage.setItem("irori-runtime", "${runtime}")`);
    }
    await page.addInitScript(OBSERVE);
    await page.goto(url, { waitUntil: "networkidle" });
    return await page.evaluate("({ largest: loaded.largest, shift: loaded.shift })") as Load;
  } finally {
    await context.close();
  }
}

const OBSERVE = `
  globalThis.loaded = { largest: 0, shift: 0 };
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) loaded.largest = startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) {
      if (!hadRecentInput) loaded.shift += value;
    }
  }).observe({ type: "layout-shift", buffered: true });
`;
