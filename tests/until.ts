/** Waits for an effect of another process or a timer. @throws {Error} where it does not come within the time */
export async function until(is: () => Promise<boolean> | boolean, seconds = 30): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!await is()) {
    if (Date.now() > end) throw new Error(`It has not come within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
