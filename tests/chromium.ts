import { fromFileUrl, join } from "@std/path";
import { type Browser, chromium, type Page } from "playwright-core";

/** The path of Chromium, from the command that runs the tests. */
export const CHROMIUM: string | undefined = Deno.env.get("IRORI_TEST_CHROMIUM");

/** The end of the titles of tests that need Chromium, so that a skipped test says why. */
export const CHROMIUM_SKIPPED: string = CHROMIUM
  ? ""
  : " [skipped: IRORI_TEST_CHROMIUM is not set: run 'deno task test']";

const SCREENSHOTS = fromFileUrl(new URL("../dist/screenshots/", import.meta.url));

/** Starts it such that it knows no host but this one, whatever it would like to ask. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ],
  });
}

/** Keeps a picture of a page, for people. */
export async function screenshot(page: Page, name: string, fullPage = false): Promise<void> {
  await Deno.mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage });
}
