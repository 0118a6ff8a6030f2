import { onContentUpdated } from "vitepress";
import { onMounted } from "vue";

/** Also read by the script in the head of each page, before the page is shown. */
const KEY = "irori-runtime";

/** Chooses in every group the runtime that was chosen in one, on this page and on all others, then and later. */
export function rememberRuntime(): void {
  onContentUpdated(() => choose(read()));
  onMounted(() => document.addEventListener("change", follow));
}

function follow({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || !target.matches(".vp-code-group input")) return;
  const name = nameOf(target);
  if (name === undefined) return;
  const top = target.getBoundingClientRect().top;
  choose(name);
  // Blocks above may have changed their height, which moves the one that was clicked.
  scrollBy(0, target.getBoundingClientRect().top - top);
  write(name);
}

function choose(name: string | undefined): void {
  if (name === undefined) return;
  // By this the style sheet shows the blocks, before this runs on a page that is loaded.
  document.documentElement.dataset.runtime = name;
  for (const group of document.querySelectorAll(".vp-code-group")) {
    const inputs = [...group.querySelectorAll<HTMLInputElement>(".tabs input")];
    const index = inputs.findIndex((input) => nameOf(input) === name);
    if (index < 0 || inputs[index]!.checked) continue;
    inputs[index]!.checked = true;
    [...group.querySelectorAll(".blocks > *")].forEach((block, at) =>
      block.classList.toggle("active", at === index)
    );
  }
}

function nameOf(input: HTMLInputElement): string | undefined {
  return input.labels?.[0]?.dataset.title;
}

/** Browsers may refuse to keep anything. */
function read(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

function write(name: string): void {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // It holds until the next page is loaded.
  }
}
