import DefaultTheme from "vitepress/theme-without-fonts";
import type { Theme } from "vitepress";
import { onMounted } from "vue";
import { rememberRuntime } from "./remember_runtime.ts";
import { toggleImports } from "./toggle_imports.ts";
import "./style.css";

export default {
  extends: DefaultTheme,
  setup() {
    rememberRuntime();
    toggleImports();
    onMounted(hideKeys);
  },
} satisfies Theme;

/** Keys beside the name of the search are no part of its name. */
function hideKeys(): void {
  document.querySelector(".DocSearch-Button-Keys")?.setAttribute("aria-hidden", "true");
}
