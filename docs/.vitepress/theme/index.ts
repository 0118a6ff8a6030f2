import DefaultTheme from "vitepress/theme-without-fonts";
import type { Theme } from "vitepress";
import { rememberRuntime } from "./remember_runtime.ts";
import { toggleImports } from "./toggle_imports.ts";
import "./style.css";

export default {
  extends: DefaultTheme,
  setup() {
    rememberRuntime();
    toggleImports();
  },
} satisfies Theme;
