/** Groups of the side bar are one button each: the caret inside is a second one, which screen readers cannot reach. */
export const groupsAsButtons = {
  name: "irori:groups-as-buttons",
  enforce: "pre",
  transform(code: string, id: string): string | undefined {
    if (!/\/VPSidebarItem\.vue$/.test(id)) return undefined;
    const changed = code.replace(CARET, 'aria-hidden="true"').replace(ROLE, `${EXPANDED} ${ROLE}`);
    if (changed.split(/aria-hidden|:aria-expanded/).length === 3) return changed;
    throw new Error(
      `${id} has another form than that of VitePress 1.6: look whether it needs this`,
    );
  },
} as const;

const CARET =
  /role="button"\s+aria-label="toggle section"\s+@click="onCaretClick"\s+@keydown\.enter="onCaretClick"\s+tabindex="0"/;
const ROLE = ':role="itemRole"';
const EXPANDED = ':aria-expanded="item.link || !collapsible ? undefined : !collapsed"';
