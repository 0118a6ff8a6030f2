/**
 * A slug for a title: `How to train?` becomes `how-to-train-1b9d6bcd`. Titles may be equal. By the random end no request
 * has to try again, and no slug is `feed`, which has a route of its own.
 */
export function slugOf(title: string): string {
  const words = title.normalize().toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ??
    [];
  const [readable = ""] = /^.{0,80}(?<!-)/u.exec(words.join("-")) ?? [];
  return [readable, crypto.randomUUID().slice(0, 8)].filter(Boolean).join("-");
}
