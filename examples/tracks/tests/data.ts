/** The data at the start of a test, with and without a database. */
export const createdAt = new Date("2026-01-02T03:04:05Z");

export const project = { key: "TRA", name: "Tracks", createdAt };

const about = { project: "TRA", description: "", createdAt };
export const issues = [
  { ...about, id: 1, number: 1, title: "Too slow", status: "open" as const, author: "ada" },
  { ...about, id: 2, number: 2, title: "Too loud", status: "open" as const, author: "bob" },
  { ...about, id: 3, number: 3, title: "Too late", status: "closed" as const, author: "ada" },
];

export const comments = [
  { id: 1, issue: 1, author: "ada", text: "Still so", createdAt },
  { id: 2, issue: 1, author: "bob", text: "Here, too", createdAt },
];

export const attachment = {
  id: "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
  issue: 1,
  name: "screen.png",
  size: 3,
  author: "ada",
};
