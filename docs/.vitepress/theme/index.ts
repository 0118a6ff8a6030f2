import DefaultTheme from "vitepress/theme-without-fonts";
import type { Theme } from "vitepress";
import { rememberRuntime } from "./remember_runtime.ts";
import "./style.css";

export default { extends: DefaultTheme, setup: rememberRuntime } satisfies Theme;
