import { onMounted } from "vue";

/** Makes the buttons of folded imports work. */
export function toggleImports(): void {
  onMounted(() =>
    document.addEventListener("click", ({ target }) => {
      if (!(target instanceof HTMLButtonElement) || !target.matches("button.imports")) return;
      const isShown = target.getAttribute("aria-expanded") !== "true";
      target.setAttribute("aria-expanded", String(isShown));
      target.textContent = isShown ? "Hide imports" : "Show imports";
    })
  );
}
