/**
 * Tries again and again, with pauses of 20 to 200 ms of which a part is random.
 *
 * @returns whether `attempt` came true before `timeoutMs` were over; it is made at least once
 */
export async function waitFor(
  attempt: () => Promise<boolean>,
  timeoutMs: number,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (let pause = 20;; pause = Math.min(200, pause * 1.5)) {
    if (await attempt()) return true;
    const left = deadline - performance.now();
    if (left <= 0) return false;
    const jittered = pause * (0.5 + Math.random() / 2);
    await new Promise((resolve) => setTimeout(resolve, Math.min(left, jittered)));
  }
}
